import { Badge, Text } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Sender } from "../../api/types.ts";
import { countOf } from "../../format/numbers.ts";
import { explainReason } from "../sends/describe_send.ts";

const labels: Record<Sender["health"]["state"], [label: string, color: string]> = {
  healthy: ["Healthy", "green"],
  failing: ["Failing", "red"],
  disabled: ["Disabled", "gray"],
  unused: ["Nothing sent yet", "gray"],
};

/** The health of a sender in a word. */
export function SenderHealth({ sender }: { sender: Sender }) {
  const [label, color] = labels[sender.health.state];
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}

/** The reason for a sender's state and the next step; nothing while all is well. */
export function SenderNote({ sender }: { sender: Sender }) {
  const note = describeNextStep(sender);
  return note && (
    <Text size="xs" c="dimmed" mt={4} maw={340} lineClamp={3} className="balanced">{note}</Text>
  );
}

/** Says why a sender does not send, and what to do about it; null while all is well. */
export function describeNextStep(sender: Sender): string | null {
  const { health: { state, last_error, pending }, disabled_reason, limited_by } = sender;
  const waiting = pending > 0 ? ` ${countOf(pending, "message")} waiting.` : "";
  if (state === "failing") {
    const reason = last_error === null ? "" : `${asSentence(explainReason(last_error))} `;
    return `${reason}Fix the settings, then send a test email.${waiting}`;
  }
  if (state === "disabled") {
    const reason = disabled_reason === null ? "" : `${asSentence(disabled_reason)} `;
    return `${reason}Enable it to send.${waiting}`;
  }
  if (state === "unused") return `Send a test email before you use it.${waiting}`;
  const isHeld = limited_by !== null && !["dispatch", "schedule"].includes(limited_by);
  return isHeld ? `${limits[limited_by] ?? limited_by}${waiting}` : null;
}

const asSentence = (text: string) => /[.!?]$/.test(text) ? text : `${text}.`;

/** Meaning of each limit of waiting messages. */
const limits: Record<string, string> = {
  stopped: "All sends of this workspace were stopped by an operator.",
  disabled: "This sender is disabled. Enable it to send what is waiting.",
  breaker: "The provider failed several times in a row, so single messages are tried until one " +
    "succeeds.",
  provider: "The provider asked for a pause.",
  concurrency: "As many messages are on their way as this sender allows at once.",
  rate: "The sender’s own limit of messages per second is reached.",
};
