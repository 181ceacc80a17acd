import { Paper, SimpleGrid, Text, ThemeIcon } from "@mantine/core";
import {
  type Icon,
  InboxIcon,
  MegaphoneIcon,
  PeopleIcon,
  WebhookIcon,
} from "@primer/octicons-react";
import { linkTo } from "../../ui/link_to.ts";
import { useWorkspace } from "../../api/workspace.ts";

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

export function NextSteps() {
  const { id } = useWorkspace();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {nextSteps.map(({ icon: Icon, title, text, path }) => (
        <Paper key={path} p="md" className="stat" {...linkTo(`/w/${id}${path}`)}>
          <ThemeIcon variant="light" size={32} mb="xs">
            <Icon />
          </ThemeIcon>
          <Text size="sm" fw={600}>{title}</Text>
          <Text size="xs" c="dimmed">{text}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
