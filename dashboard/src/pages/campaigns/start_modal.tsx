import { Text } from "@mantine/core";
import type { Campaign, CampaignReview } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { formatShort } from "../../format/time.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import type { DialogProps } from "../../ui/form_modal.tsx";
import { countReached } from "./count_reached.ts";
import { useReview } from "./use_review.ts";

export type StartVerb = "send" | "schedule" | "resume";

const texts: Record<StartVerb, { title: string; label: string }> = {
  send: { title: "Send this campaign now?", label: "Send now" },
  schedule: { title: "Schedule this campaign?", label: "Schedule" },
  resume: { title: "Resume this campaign?", label: "Resume" },
};

interface StartModalProps extends DialogProps {
  campaign: Campaign;
  verb: StartVerb;
}

/** Sends, schedules or resumes. A large audience needs its number first. */
export function StartModal({ campaign, verb, ...dialog }: StartModalProps) {
  const { timezone } = useWorkspace();
  const { data: review } = useReview(campaign);
  const recipients = campaign.recipients ?? review?.recipients;
  const action = useStart(campaign, { verb, recipients, onSuccess: dialog.close });
  const needsNumber = recipients !== undefined && isLarge(campaign, { verb, recipients, review });
  const { title, label } = texts[verb];
  const isSending = verb === "send" && recipients !== undefined;
  return (
    <ConfirmModal
      {...dialog}
      title={title}
      confirmLabel={isSending ? `Send to ${countWhole(recipients, "recipient")}` : label}
      {...needsNumber
        ? {
          typed: { label: "Type the number of recipients to confirm", value: String(recipients) },
        }
        : {}}
      action={action}
      onConfirm={() => action.mutate()}
    >
      <Text size="sm">
        {isSending
          ? `${describeReach(recipients, review)} You can pause it, but not unsend it.`
          : describe(campaign, { verb, timezone })} {recipients === undefined
          ? "The recipients are being counted."
          : !isSending && `It has ${countWhole(recipients, "recipient")}.`}
      </Text>
    </ConfirmModal>
  );
}

/** Says how many people get the email: not those whose address is suppressed or left the topic. */
function describeReach(recipients: number, review: CampaignReview | undefined): string {
  const reached = review === undefined ? recipients : countReached(review);
  if (reached === recipients) {
    return `${countWhole(recipients, "person", "people")} will get this email.`;
  }
  const about = review?.is_exact ? "" : "About ";
  return `${about}${formatWhole(reached)} of ${
    countWhole(recipients, "recipient")
  } will get this email.`;
}

function countWhole(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatWhole(count)} ${count === 1 ? noun : plural}`;
}

function describe(
  campaign: Campaign,
  { verb, timezone }: { verb: StartVerb; timezone: string },
): string {
  if (verb === "resume") return "It continues where it was paused.";
  if (verb === "schedule" && campaign.send_at !== null) {
    const at = `${formatShort(campaign.send_at, timezone)} ${timezone}`;
    return `It starts at ${at}. You can cancel it until then.`;
  }
  return "It starts immediately.";
}

interface Facts {
  verb: StartVerb;
  recipients: number;
  review: CampaignReview | undefined;
}

function isLarge({ reason }: Campaign, { verb, recipients, review }: Facts): boolean {
  if (verb === "resume") return reason === "confirmation";
  return review !== undefined && recipients > review.confirm_above;
}

interface StartOptions {
  verb: StartVerb;
  recipients: number | undefined;
  onSuccess: () => void;
}

function useStart({ id }: Campaign, { verb, recipients, onSuccess }: StartOptions) {
  const input = () => ({
    params: { id },
    body: recipients === undefined ? {} : { recipients },
  });
  const send = useApiAction("POST /campaigns/{id}/send", input, { onSuccess });
  const schedule = useApiAction("POST /campaigns/{id}/schedule", input, { onSuccess });
  const resume = useApiAction("POST /campaigns/{id}/resume", input, { onSuccess });
  return { send, schedule, resume }[verb];
}
