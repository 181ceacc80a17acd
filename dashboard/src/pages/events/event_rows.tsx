import { Group, Text, UnstyledButton } from "@mantine/core";
import { memo, useCallback } from "react";
import { useNavigate } from "@tanstack/react-router";
import type { TrackedEvent } from "../../api/types.ts";
import { formatClock } from "../../format/clock.ts";
import { isId } from "../../format/is_id.ts";
import { formatExact } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { EventKind, eventTitle } from "./event_kind.tsx";
import { nameCustomer } from "./name_customer.ts";

interface EventRowsProps {
  /** Names the list to screen readers. */
  label: string;
  events: TrackedEvent[];
  /** IDs of the events that have just arrived. */
  added?: ReadonlySet<string>;
  /** Shows the customer and the time of receipt, instead of the time of day of occurrence. */
  isLive?: boolean;
}

/** A list of events: the latest of the workspace, or those of one customer and day. */
export function EventRows({ label, events, added, isLive = false }: EventRowsProps) {
  const open = useOpenEvent();
  return (
    <>
      {isLive && events.length > 0 && <Headings />}
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
    </>
  );
}

/** Names the columns where each event is one line. The rows say the same to screen readers. */
function Headings() {
  return (
    <div className="event-headings" aria-hidden>
      <div className="event-text live">
        <span>Event</span>
        <span>Properties</span>
        <span>Customer</span>
        <span className="event-time">Received</span>
      </div>
    </div>
  );
}

interface EventRowProps {
  event: TrackedEvent;
  /** Highlights an event that has just arrived. */
  isNew?: boolean;
  isLive?: boolean;
  open: (eventId: string) => void;
}

/** Redraws only when it changes: lists get long. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, isNew = false, isLive = false, open } = props;
  return (
    <UnstyledButton
      className={isNew ? "event-row arrived" : "event-row"}
      onClick={() => open(event.id)}
    >
      <Group gap="sm" wrap="nowrap">
        <EventKind kind={event.kind} />
        <div className={isLive ? "event-text live" : "event-text"}>
          <Text size="sm" fw={550} className="event-title break-anywhere" lineClamp={1}>
            <bdi>{eventTitle(event)}</bdi>
          </Text>
          <Text
            size="xs"
            c="dimmed"
            ff="monospace"
            lineClamp={1}
            className="event-summary break-everywhere"
          >
            <Summary event={event} />
          </Text>
          {isLive && (
            <Text size="xs" truncate className="event-person" title={idsOf(event)}>
              <bdi>{nameCustomer(event)}</bdi>
            </Text>
          )}
          <Text size="xs" c="dimmed" component="div" className="event-time">
            {isLive ? <TimeAgo time={event.received_at} /> : <TimeOfDay time={event.occurred_at} />}
          </Text>
        </div>
      </Group>
    </UnstyledButton>
  );
});

/** The IDs that the event was sent with. */
function idsOf({ external_id, anon_id }: TrackedEvent): string {
  return [external_id, anon_id].filter(Boolean).join(" · ");
}

function TimeOfDay({ time }: { time: string }) {
  const zone = useZone();
  return (
    <time dateTime={time} title={formatExact(time, zone)} className="tabular">
      {formatClock(time, zone, "second")}
    </time>
  );
}

/** As many properties as fit into a row. */
const shownProperties = 8;
const shownCharacters = 80;

/** The first properties of an event. Values stand out from their names. */
function Summary({ event: { properties } }: { event: TrackedEvent }) {
  const all = Object.entries(properties);
  const telling = all.filter(([, value]) => !isIdValue(value));
  // IDs say little to a person, and more than nothing.
  const entries = (telling.length > 0 ? telling : all).slice(0, shownProperties);
  if (entries.length === 0) return "No properties";
  return entries.map(([key, value]) => (
    <span key={key} className="property">
      {`${key}: `}
      <bdi>{show(value).slice(0, shownCharacters)}</bdi>
      {" "}
    </span>
  ));
}

function isIdValue(value: unknown): boolean {
  return typeof value === "string" && isId(value);
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns a stable function that opens an event by its ID in the page's address. */
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
