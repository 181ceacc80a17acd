import { Alert, Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import type { Sender, SenderDns } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { CopyIcon } from "../../ui/id_text.tsx";

type Check = SenderDns["checks"][number];

const states: Record<Check["state"], [label: string, color: string]> = {
  ok: ["Fine", "green"],
  warning: ["Check this", "yellow"],
  missing: ["Missing", "red"],
  unknown: ["Unknown", "gray"],
};

/** The DNS records of the sender's domain, and what to fix. */
export function SenderDnsCheck({ sender }: { sender: Sender }) {
  const [isAsked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const [selector, setSelector] = useState<string>();
  const dns = useApiItem("GET /senders/{id}/dns", {
    params: { id: sender.id },
    query: selector ? { selector } : {},
  }, { enabled: isAsked });
  const check = () => {
    setSelector(typed.trim() || undefined);
    if (isAsked) void dns.refetch();
    setAsked(true);
  };
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="xs">DNS</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Receivers trust email from a domain that lists its senders (SPF), publishes its signing key
        (DKIM), and says what to do with forged email (DMARC).
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <Group align="flex-end" mb="md">
          <TextInput
            label="DKIM selector"
            placeholder="The provider’s selectors"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={dns.isFetching}>Check DNS</Button>
        </Group>
      </form>
      {dns.error && <ErrorState error={dns.error} />}
      {dns.data && <Result dns={dns.data} />}
    </Paper>
  );
}

function Result({ dns }: { dns: SenderDns }) {
  return (
    <Stack gap="sm" role="status">
      {dns.ok && <Alert color="green" title={`Nothing is missing at ${dns.domain}`} />}
      {dns.checks.map((check) => <Record key={check.record} check={check} />)}
    </Stack>
  );
}

function Record({ check: { record, name, state, found, message } }: { check: Check }) {
  const [label, color] = states[state];
  return (
    <Paper p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600} size="sm" tt="uppercase">{record}</Text>
            <Badge color={color}>{label}</Badge>
          </Group>
          <Text size="sm" mt={4}>{message}</Text>
          <Text size="xs" c="dimmed" ff="monospace" className="break-anywhere" mt={4}>{name}</Text>
          {found !== null && (
            <Text size="xs" ff="monospace" className="break-anywhere" mt={4}>{found}</Text>
          )}
        </div>
        <CopyIcon value={name} label={`name of the ${record.toUpperCase()} record`} />
      </Group>
    </Paper>
  );
}
