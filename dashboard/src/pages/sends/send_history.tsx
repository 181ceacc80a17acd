import { Text, Timeline } from "@mantine/core";
import { CheckIcon, ClockIcon, type Icon, XIcon } from "@primer/octicons-react";
import type { Send } from "../../api/types.ts";
import { formatDuration, formatLocal } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeAttempt } from "./describe_attempt.ts";
import { type Engagement, engagementLabels } from "./describe_send.ts";

/** Something that happened to a message. */
interface Happening {
  /** Null if it was not noted. */
  at: string | null;
  title: string;
  icon: Icon;
  color: string;
  /** The status of the provider, and the time that it took. */
  details?: string[];
  /** A sentence about it. */
  note?: string | null;
  /** The provider's answer. */
  response?: string | null;
}

const good = { icon: CheckIcon, color: "green" };
const bad = { icon: XIcon, color: "red" };
const poor = { icon: XIcon, color: "orange" };

/** Everything that happened to a message, the oldest first. */
export function SendHistory({ send }: { send: Send }) {
  const happenings = listHappenings(send);
  const zone = useZone();
  return (
    <Timeline bulletSize={24} lineWidth={2} active={happenings.length}>
      {happenings.map(({ at, title, icon: Bullet, color, details, note, response }, index) => (
        <Timeline.Item
          key={index}
          color={color}
          bullet={<Bullet size={12} />}
          title={<Text size="sm" fw={600} component="span">{title}</Text>}
        >
          <Text size="xs" c="dimmed" component="div">
            {at && (
              <>
                <span className="tabular">{formatLocal(at, zone)}</span> · <TimeAgo time={at} />
              </>
            )}
            {details?.map((detail) => ` · ${detail}`)}
          </Text>
          {note && <Text size="xs" className="break-anywhere" dir="auto">{note}</Text>}
          {response && <Text size="xs" ff="monospace" className="break-anywhere">{response}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function listHappenings(send: Send): Happening[] {
  const queued = { at: send.queued_at, title: "Queued", icon: ClockIcon, color: "gray" };
  const attempts = send.attempts.map((attempt, index) => ({
    at: attempt.at ?? null,
    title: describeAttempt(send, index),
    ...attempt.outcome === "sent" ? good : bad,
    details: listDetails(attempt),
    response: attempt.response ?? null,
  }));
  const isTold = send.attempts.some(({ outcome }) => outcome === "sent");
  const sent = send.sent_at === null || isTold
    ? []
    : [{ at: send.sent_at, title: "Sent", ...good }];
  const reports = listReports(send);
  const timeOf = ({ at }: Happening) => at ?? send.queued_at;
  const past = [queued, ...attempts, ...sent, ...reports]
    .sort((a, b) => timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0);
  return [...past, ...listNext(send)];
}

function listDetails({ status_code, duration_ms }: Send["attempts"][number]): string[] {
  return [
    ...status_code ? [`Status ${status_code}`] : [],
    ...typeof duration_ms === "number" ? [formatDuration(duration_ms)] : [],
  ];
}

/** The next attempt of a message that waits. */
function listNext({ state, next_attempt_at, attempts }: Send): Happening[] {
  if (state !== "queued" || next_attempt_at === null) return [];
  const title = `Attempt ${attempts.length + 1} is due`;
  return [{ at: next_attempt_at, title, icon: ClockIcon, color: "gray" }];
}

/** Reports of the provider and the reader, after the message was sent. */
function listReports(send: Send): Happening[] {
  const report = (at: string | null, name: Engagement, note: string | null = null) =>
    at === null ? [] : [{ at, title: engagementLabels[name], note, ...looks[name] ?? good }];
  return [
    ...send.feedback === null ? [] : report(send.feedback_at, send.feedback, send.feedback_reason),
    ...report(send.opened_at, "opened"),
    ...report(send.clicked_at, "clicked"),
    ...report(send.unsubscribed_at, "unsubscribed"),
  ];
}

const looks: Partial<Record<Engagement, typeof good>> = {
  soft_bounced: poor,
  unsubscribed: poor,
  bounced: bad,
  complained: bad,
};
