import { Group, Paper, SimpleGrid, Text, ThemeIcon } from "@mantine/core";
import {
  type Icon,
  InboxIcon,
  MegaphoneIcon,
  PeopleIcon,
  WebhookIcon,
} from "@primer/octicons-react";
import { linkTo } from "../../ui/link_to.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { DoneMark } from "./done_mark.tsx";

const nextSteps: { icon: Icon; title: string; text: string; path: string }[] = [
  {
    icon: WebhookIcon,
    title: "Forward events",
    text: "Send signed webhooks to your systems, with retries and replay.",
    path: "/destinations",
  },
  {
    icon: MegaphoneIcon,
    title: "Send a campaign",
    text: "One email to a segment, with a review of who will and will not get it.",
    path: "/campaigns",
  },
  {
    icon: InboxIcon,
    title: "Receive webhooks",
    text: "Turn webhooks from Shopify, Stripe and others into events.",
    path: "/sources",
  },
  {
    icon: PeopleIcon,
    title: "Invite your team",
    text: "Add owners, admins, members and viewers.",
    path: "/settings/team",
  },
];

/** Leads to what else the service does. Each part is ticked once there is something. */
export function NextSteps() {
  const { id } = useWorkspace();
  const done = useDoneSteps();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {nextSteps.map(({ icon: Icon, title, text, path }) => (
        <Paper key={path} p="md" className="stat" {...linkTo(`/w/${id}${path}`)}>
          <ThemeIcon variant="light" size={32} mb="xs">
            <Icon />
          </ThemeIcon>
          <Group gap={6}>
            <Text size="sm" fw={600}>{title}</Text>
            <DoneMark isDone={done[path]} />
          </Group>
          <Text size="xs" c="dimmed">{text}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** Finds the steps that are done, by path. A team has a second person, perhaps invited. */
function useDoneSteps(): Readonly<Record<string, boolean>> {
  const query = { limit: 1 };
  const count = (list: { data: unknown[] } | undefined) => list?.data.length ?? 0;
  return {
    "/destinations": count(useApiItem("GET /destinations", { query }).data) > 0,
    "/campaigns": count(useApiItem("GET /campaigns", { query }).data) > 0,
    "/sources": count(useApiItem("GET /sources", { query }).data) > 0,
    "/settings/team": count(useApiItem("GET /members", { query: { limit: 2 } }).data) > 1,
  };
}
