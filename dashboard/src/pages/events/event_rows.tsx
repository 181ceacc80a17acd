import { Group, Text, UnstyledButton } from "@mantine/core";
import { memo, useCallback } from "react";
import { useNavigate } from "@tanstack/react-router";
import type { TrackedEvent } from "../../api/types.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { EventKind, eventTitle } from "./event_kind.tsx";

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

interface EventRowProps {
  event: TrackedEvent;
  /** Draws attention to what has just come. */
  isNew?: boolean;
  /** Of a list by receipt, of anybody: says whose it is, and when it came instead of occurred. */
  isLive?: boolean;
  open: (eventId: string) => void;
}

/** Drawn again only when it changes: a long list gets longer while one scrolls. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, isNew = false, isLive = false, open } = props;
  return (
    <UnstyledButton
      className={isNew ? "event-row arrived" : "event-row"}
      onClick={() => open(event.id)}
    >
      <Group gap="sm" wrap="nowrap">
        <EventKind kind={event.kind} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={550} className="break-anywhere" lineClamp={1}>
            {eventTitle(event)}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" lineClamp={1} className="break-anywhere">
            {summarize(event)}
          </Text>
        </div>
        {isLive && (
          <Text size="xs" ff="monospace" maw={200} truncate visibleFrom="sm">
            {event.external_id ?? event.anon_id}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div">
          <TimeAgo time={isLive ? event.received_at : event.occurred_at} />
        </Text>
      </Group>
    </UnstyledButton>
  );
});

const SUMMARY_LENGTH = 160;

function summarize({ properties }: TrackedEvent): string {
  const entries = Object.entries(properties);
  if (entries.length === 0) return "no properties";
  return entries
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("  ")
    .slice(0, SUMMARY_LENGTH);
}

/** Names an event in the page's address, which opens it; the same function on every drawing. */
export function useOpenEvent(): (eventId: string) => void {
  const navigate = useNavigate();
  return useCallback((event: string) => {
    void navigate({
      to: ".",
      search: (current: Record<string, unknown>) => ({ ...current, event }),
      replace: true,
    });
  }, [navigate]);
}
