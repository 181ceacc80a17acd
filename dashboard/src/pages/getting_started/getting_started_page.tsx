import { Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Page } from "../../components/page.tsx";
import { FirstEvent } from "./first_event.tsx";
import { NextSteps } from "./next_steps.tsx";
import { SnippetKey } from "./snippet_key.tsx";
import { SnippetTabs } from "./snippet_tabs.tsx";

const PLACEHOLDER = "YOUR_KEY";

export function GettingStartedPage() {
  const [key, setKey] = useState<string | null>(null);
  return (
    <Page
      title="Getting started"
      description="From nothing to the first event in a minute."
    >
      <Stack gap="lg" maw={820}>
        <Paper p="lg">
          <Title order={2} size="h4">1. Get a key</Title>
          <Text size="sm" c="dimmed" mb="md">
            Send events with a key that can do nothing else.
          </Text>
          <SnippetKey value={key} onCreate={setKey} />
        </Paper>
        <Paper p="lg">
          <Title order={2} size="h4">2. Send an event</Title>
          <Text size="sm" c="dimmed" mb="md">
            Paste one of these{key ? "; your key is in them" : ""}.
          </Text>
          <SnippetTabs apiKey={key ?? PLACEHOLDER} />
        </Paper>
        <FirstEvent />
        <NextSteps />
      </Stack>
    </Page>
  );
}
