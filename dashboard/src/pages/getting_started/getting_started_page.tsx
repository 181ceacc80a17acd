import { Anchor, Button, Paper, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { KeyIcon } from "@primer/octicons-react";
import { Page } from "../../ui/page.tsx";
import { StepTitle } from "./done_mark.tsx";
import { FirstEmail } from "./first_email.tsx";
import { FirstEvent } from "./first_event.tsx";
import { NextSteps } from "./next_steps.tsx";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { useServices } from "../../api/services.ts";
import { makeSnippets } from "./snippets.ts";
import { useLatestEvent } from "./use_latest_event.ts";

const keyPlaceholder = "YOUR_KEY";

export function GettingStartedPage() {
  const [key, setKey] = useState<string | null>(null);
  const isAdmin = useMay("admin");
  const keys = useApiItem("GET /api-keys", { query: { limit: 1 } }, { enabled: isAdmin }).data;
  const { isThere } = useLatestEvent();
  const hasKey = key !== null || keys !== undefined && keys.data.length > 0;
  return (
    <Page
      title="Getting started"
      description="Send your first event in under a minute."
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          <Paper p="lg">
            <StepTitle isDone={isThere || hasKey}>1. Create a key</StepTitle>
            <Text size="sm" c="dimmed" mb="md">
              Create a key that can only send events.
            </Text>
            <SnippetKey value={key} onCreate={setKey} isDone={isThere || hasKey} />
          </Paper>
          <Paper p="lg">
            <StepTitle isDone={isThere}>2. Send an event</StepTitle>
            <Text size="sm" c="dimmed" mb="md">
              Run this in your terminal.{key ? " Your key is already filled in." : ""}
            </Text>
            <SnippetTabs apiKey={key ?? keyPlaceholder} />
          </Paper>
          <FirstEvent />
        </Stack>
        <Stack gap="lg">
          <FirstEmail />
          <NextSteps />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

interface SnippetKeyProps {
  value: string | null;
  onCreate: (key: string) => void;
  /** The workspace has a key, so that another one is not the next step. */
  isDone?: boolean;
}

/** Creates a real key for the snippets. */
export function SnippetKey({ value, onCreate, isDone = false }: SnippetKeyProps) {
  const { id } = useWorkspace();
  const isAdmin = useMay("admin");
  const create = useApiAction(
    "POST /api-keys",
    () => ({ body: { name: "Getting started", scopes: ["track:write"] } }),
    { onSuccess: ({ key }) => onCreate(key) },
  );
  if (value) return <SecretPanel title="Your key" secret={value} />;
  if (!isAdmin) return <Text size="sm">Ask an admin of this workspace for a key.</Text>;
  return (
    <>
      {create.error && <ErrorState error={create.error} />}
      <Button
        variant={isDone ? "default" : "filled"}
        leftSection={<KeyIcon />}
        loading={create.isPending}
        onClick={() => create.mutate()}
      >
        Create a key
      </Button>
      <Text size="xs" c="dimmed" mt="xs">
        You can revoke it under{" "}
        <Anchor {...linkTo(`/w/${id}/settings/api-keys`)} inherit>API keys</Anchor>.
      </Text>
    </>
  );
}

export function SnippetTabs({ apiKey }: { apiKey: string }) {
  const { config } = useServices();
  const snippets = makeSnippets({ baseUrl: config.baseUrl, key: apiKey });
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ value, label }) => <Tabs.Tab key={value} value={value}>{label}</Tabs.Tab>)}
      </Tabs.List>
      {snippets.map(({ value, label, language, code }) => (
        <Tabs.Panel key={value} value={value}>
          <CodeView code={code} language={language} label={`First event with ${label}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
