import { Group, List, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { CheckIcon, DotFillIcon } from "@primer/octicons-react";
import { useServices } from "../../api/services.ts";
import type { Source } from "../../api/types.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { MarkedItem } from "../../ui/marked_item.tsx";
import { makeTestCall } from "./make_test_call.ts";
import { secretHint } from "./schemes.ts";
import { lacksMapping } from "./describe_source.ts";
import { SourceAddress } from "./source_health.tsx";

/** Steps that are left until the first request of a source arrives. */
export function FirstRequest({ source }: { source: Source }) {
  return (
    <Paper p="md" component="section" aria-label="First request">
      <Stack>
        <Group gap="sm">
          <Title order={2} size="h5">Receive the first request</Title>
          <Group gap="xs">
            <Loader size="xs" type="dots" aria-hidden />
            <Text size="sm" c="dimmed">Listening…</Text>
          </Group>
        </Group>
        <SourceAddress source={source} />
        <List listStyleType="none" spacing="xs">
          <Step
            isDone={source.has_secret}
            title="Set the signing secret"
            text={`Requests are refused until then. Where to find it: ${
              secretHint(source.scheme, source.hmac)
            }.`}
          />
          <Step
            isDone={false}
            title="Enter the webhook URL at the sender"
            text="Then send a test from there, or the one below."
          />
          <Step
            isDone={!lacksMapping(source)}
            title="Choose how payloads become events"
            text="Edit the source to use a preset, or send a request and build a mapping from it under Mapping. Until then its entries are rejected, and can be resent."
          />
        </List>
        <TestCall source={source} />
      </Stack>
    </Paper>
  );
}

function Step({ isDone, title, text }: { isDone: boolean; title: string; text: string }) {
  return (
    <MarkedItem
      icon={isDone ? CheckIcon : DotFillIcon}
      color={isDone ? "teal" : "gray"}
      label={isDone ? "Done" : "Open"}
    >
      <Text size="sm" fw={550}>{title}</Text>
      {!isDone && <Text size="xs" c="dimmed">{text}</Text>}
    </MarkedItem>
  );
}

interface TestCallProps {
  source: Pick<Source, "scheme" | "path">;
  /** The secret, while it is known. */
  secret?: string | null;
}

/** Commands that send a signed request, for senders whose signatures a shell can make. */
export function TestCall({ source: { scheme, path }, secret }: TestCallProps) {
  const { config } = useServices();
  const url = new URL(`${config.baseUrl}${path}`, location.origin).href;
  const code = makeTestCall({ scheme, url, ...secret && { secret } });
  if (code === undefined) return null;
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>Test request</Text>
      <CodeView code={code} language="bash" label="Test request with curl" />
    </div>
  );
}
