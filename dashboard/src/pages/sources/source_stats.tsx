import { SimpleGrid } from "@mantine/core";
import type { Source } from "../../api/types.ts";
import { Stat } from "../../components/stat.tsx";
import { TimeAgo } from "../../components/time_ago.tsx";
import { formatCount } from "../../numbers.ts";
import { useWorkspace } from "../../workspace.ts";

export function SourceStats({ source }: { source: Source }) {
  const { id } = useWorkspace();
  const { health } = source;
  const here = `/w/${id}/sources/${source.id}`;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Stat
        label="Received, 24 hours"
        value={formatCount(health.received_24h)}
        note={health.last_received_at && (
          <>
            last <TimeAgo time={health.last_received_at} />
          </>
        )}
        to={here}
      />
      <Stat
        label="Entries rejected"
        value={formatCount(health.rejected_24h)}
        note="signed correctly, but not usable"
        to={here}
        search={{ tab: "rejected" }}
      />
      <Stat
        label="Requests refused"
        value={formatCount(health.refused_24h)}
        note="wrong signature, or unreadable"
        to={here}
        search={{ outcome: "refused" }}
      />
    </SimpleGrid>
  );
}
