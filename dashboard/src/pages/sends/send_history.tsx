import { Text, Timeline } from "@mantine/core";
import { CheckIcon, ClockIcon, type Icon, XIcon } from "@primer/octicons-react";
import type { Send } from "../../api/types.ts";
import { formatDuration } from "../../format/time.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { type Engagement, engagementLabels } from "./describe_send.ts";

/** Something that happened to a message. */
interface Happening {
  /** Null if it was not noted. */
  at: string | null;
  title: string;
  icon: Icon;
  color: string;
  /** The time that it took. */
  length?: string | undefined;
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
  return (
    <Timeline bulletSize={24} lineWidth={2} active={happenings.length}>
      {happenings.map(({ at, title, icon: Bullet, color, length, note, response }, index) => (
        <Timeline.Item
          key={index}
          color={color}
          bullet={<Bullet size={12} />}
          title={<Text size="sm" fw={600} component="span">{title}</Text>}
        >
          <Text size="xs" c="dimmed" component="div">
            {at && <TimeAgo time={at} />}
            {length && ` · ${length}`}
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
  const attempts = send.attempts.map(toHappening);
  const isTold = send.attempts.some(({ outcome }) => outcome === "sent");
  const sent = send.sent_at === null || isTold
    ? []
    : [{ at: send.sent_at, title: "Sent", ...good }];
  const reports = listReports(send);
  const timeOf = ({ at }: Happening) => at ?? send.queued_at;
  return [queued, ...attempts, ...sent, ...reports]
    .sort((a, b) => timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0);
}

const attemptLabels: Readonly<Record<string, string>> = {
  sent: "Accepted by the provider",
  retry: "Failed for now",
  failed: "Failed",
  unknown: "Outcome unknown",
};

function toHappening(attempt: Send["attempts"][number]): Happening {
  const { at, outcome, reason, status_code, response, duration_ms } = attempt;
  const label = attemptLabels[outcome ?? ""] ?? outcome;
  return {
    at: at ?? null,
    title: [label, status_code, reason].filter(Boolean).join(" · "),
    ...outcome === "sent" ? good : bad,
    length: typeof duration_ms === "number" ? formatDuration(duration_ms) : undefined,
    response: response ?? null,
  };
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
