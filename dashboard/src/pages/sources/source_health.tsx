import { Badge, Text } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Source } from "../../api/types.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatCount } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { IdText } from "../../ui/id_text.tsx";
import { useServices } from "../../api/services.ts";

export function SourceHealth({ source }: { source: Source }) {
  const { label, color } = describe(source);
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}

/** Returns whether nothing says how to read the source's payloads. */
export function lacksMapping({ preset, mapping }: Pick<Source, "preset" | "mapping">): boolean {
  return preset === null && mapping === null;
}

function describe(source: Source): { label: string; color: string } {
  const { enabled, has_secret, health } = source;
  if (!enabled) return { label: "Disabled", color: "gray" };
  if (!has_secret) return { label: "Secret missing", color: "orange" };
  if (lacksMapping(source)) return { label: "Mapping missing", color: "orange" };
  if (!health.last_received_at) return { label: "Nothing received", color: "gray" };
  if (health.refused_24h > 0) return { label: "Requests refused", color: "red" };
  if (health.rejected_24h > 0) return { label: "Entries rejected", color: "yellow" };
  return { label: "Healthy", color: "green" };
}

/** The next step for a source that does not store everything; nothing while all is well. */
export function SourceNote({ source }: { source: Source }) {
  const note = describeNextStep(source);
  return note && (
    <Text size="xs" c="dimmed" mt={4} maw={300} lineClamp={3} className="balanced">{note}</Text>
  );
}

function describeNextStep(source: Source): string | null {
  const { enabled, has_secret, health } = source;
  if (!enabled) return "Requests get 404 until you enable it.";
  if (!has_secret) return "Set the sender’s secret. Requests are refused until then.";
  if (lacksMapping(source)) return "Choose a preset or save a mapping.";
  if (!health.last_received_at) return "Enter its URL at the sender and send a test.";
  if (health.refused_24h > 0) return "Compare the secret with the sender’s.";
  return health.rejected_24h > 0 ? "Fix the mapping, then resend what was rejected." : null;
}

export function SourceStats({ source }: { source: Source }) {
  const { id } = useWorkspace();
  const { health } = source;
  const here = `/w/${id}/sources/${source.id}`;
  return (
    <StatGrid>
      <Stat
        label="Received (24 h)"
        value={formatCount(health.received_24h)}
        note={health.last_received_at && (
          <>
            Last <TimeAgo time={health.last_received_at} />
          </>
        )}
        to={here}
      />
      <Stat
        label="Rejected (24 h)"
        value={formatCount(health.rejected_24h)}
        note="Valid signature, invalid content"
        to={here}
        search={{ tab: "rejected" }}
      />
      <Stat
        label="Refused (24 h)"
        value={formatCount(health.refused_24h)}
        note="Invalid signature or unreadable"
        to={here}
        search={{ outcome: "refused" }}
      />
    </StatGrid>
  );
}

/** The URL that the sender sends its webhooks to. */
export function SourceAddress({ source }: { source: Pick<Source, "path"> }) {
  const { config } = useServices();
  return (
    <>
      <Text size="sm" fw={550}>Webhook URL</Text>
      <IdText value={`${config.baseUrl}${source.path}`} label="webhook URL" />
    </>
  );
}
