import { Anchor, List, Paper, Text } from "@mantine/core";
import { CheckIcon, DotFillIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { MarkedItem } from "../../ui/marked_item.tsx";
import { StepTitle } from "./done_mark.tsx";

interface EmailStep {
  title: string;
  text: string;
  path: string;
  /** Undefined until it is known. */
  isDone: boolean | undefined;
}

/** The steps to the first automated email. Each is ticked once there is something. */
export function FirstEmail() {
  const { id } = useWorkspace();
  const steps = useEmailSteps();
  return (
    <Paper p="lg">
      <StepTitle isDone={steps.every(({ isDone }) => isDone)}>4. Automate an email</StepTitle>
      <Text size="sm" c="dimmed" mb="md">
        Each step takes a minute. Nothing is sent until you publish the journey.
      </Text>
      <List listStyleType="none" spacing="sm">
        {steps.map(({ title, text, path, isDone }) => (
          <MarkedItem
            key={path}
            icon={isDone ? CheckIcon : DotFillIcon}
            color={isDone ? "teal" : "gray"}
            label={isDone ? "Done" : "Open"}
          >
            <Anchor {...linkTo(`/w/${id}${path}`)} size="sm" fw={600}>{title}</Anchor>
            <Text size="xs" c="dimmed">{text}</Text>
          </MarkedItem>
        ))}
      </List>
    </Paper>
  );
}

function useEmailSteps(): EmailStep[] {
  const query = { limit: 1 };
  const senders = useApiItem("GET /senders", { query }).data;
  const templates = useApiItem("GET /templates", { query }).data;
  const topics = useApiItem("GET /topics", { query }).data;
  const segments = useApiItem("GET /segments", { query }).data;
  const journeys = useApiItem("GET /journeys", { query: { ...query, state: "running" } }).data;
  const isThere = (list: { data: unknown[] } | undefined) => list && list.data.length > 0;
  return [
    {
      title: "Create a sender",
      text: "The address that emails come from. The page checks its DNS and sends a test email.",
      path: "/senders",
      isDone: isThere(senders),
    },
    {
      title: "Write a template",
      text: "Preview it with the data of a real customer as you write.",
      path: "/templates",
      isDone: isThere(templates),
    },
    {
      title: "Create a topic",
      text: "Marketing emails need one, so that people can unsubscribe.",
      path: "/topics",
      isDone: isThere(topics),
    },
    {
      title: "Build a segment",
      text: "Choose the customers by a condition. They are counted while you edit.",
      path: "/segments",
      isDone: isThere(segments),
    },
    {
      title: "Publish a journey",
      text: "Test it with a customer and rehearse it over past events first.",
      path: "/journeys",
      isDone: isThere(journeys),
    },
  ];
}
