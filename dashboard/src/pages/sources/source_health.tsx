import { Badge, Group, Text } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Source } from "../../api/types.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatCount } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { IdText } from "../../ui/id_text.tsx";
import { useServices } from "../../api/services.ts";
import { describeNextStep, describeSource } from "./describe_source.ts";

export function SourceHealth({ source }: { source: Source }) {
  const { label, color, note } = describeSource(source);
  return (
    <Group component="span" gap={6}>
      <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>
      {note && <Text span size="xs" fw={400} c="dimmed">{note}</Text>}
    </Group>
  );
}

/** The next step for a source that does not store everything; nothing while all is well. */
export function SourceNote({ source }: { source: Source }) {
  const note = describeNextStep(source);
  return note && (
    <Text size="xs" c="dimmed" mt={4} maw={300} lineClamp={3} className="balanced">{note}</Text>
  );
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
