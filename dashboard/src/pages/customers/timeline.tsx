import { Paper } from "@mantine/core";
import { ClockIcon } from "@primer/octicons-react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { LoadMore } from "../../ui/load_more.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { EventRows } from "../events/event_rows.tsx";

/** A customer's events, newest first. */
export function Timeline({ customerId }: { customerId: string }) {
  const events = useApiList("GET /customers/{id}/events", { params: { id: customerId } });
  if (events.isPending) return <TableSkeleton columns={3} />;
  if (events.isError) return <ErrorState error={events.error} retry={events.refetch} />;
  const rows = listRows(events);
  if (rows.length === 0) {
    return (
      <Paper>
        <EmptyState icon={ClockIcon} title="No events yet">
          Events of this customer appear here as they arrive. Events older than the workspace’s
          retention period are deleted.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper style={{ overflow: "hidden" }}>
      <EventRows label="Timeline" events={rows} />
      <LoadMore list={events} />
    </Paper>
  );
}
