import type { TrackedEvent } from "../../api/types.ts";
import { EventRow } from "./event_row.tsx";
import { useOpenEvent } from "./use_open_event.ts";

interface EventRowsProps {
  /** Names the list to screen readers. */
  label: string;
  events: TrackedEvent[];
  /** Ids of those that have just come. */
  added?: ReadonlySet<string>;
  /** See `EventRow`. */
  isLive?: boolean;
}

/** Events, one below the other. */
export function EventRows({ label, events, added, isLive = false }: EventRowsProps) {
  const open = useOpenEvent();
  return (
    <div role="list" aria-label={label}>
      {events.map((event) => (
        <div key={event.id} role="listitem" className="timeline-item">
          <EventRow
            event={event}
            isNew={added?.has(event.id) ?? false}
            isLive={isLive}
            open={open}
          />
        </div>
      ))}
    </div>
  );
}
