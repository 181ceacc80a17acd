import { Stack, Text } from "@mantine/core";
import type { Campaign, CampaignReview } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { formatShort } from "../../format/time.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import type { DialogProps } from "../../ui/form_modal.tsx";
import { ShortWarnings } from "./before_you_send.tsx";
import { useCampaignSender } from "./campaign_sender.ts";
import { countReached } from "./count_reached.ts";
import { SenderNotice } from "./sender_notice.tsx";
import { StartFacts } from "./start_facts.tsx";
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
  const sender = useCampaignSender(campaign);
  const recipients = campaign.recipients ?? review?.recipients;
  const action = useStart(campaign, { verb, recipients, onSuccess: dialog.close });
  const audience = describeAudience(campaign, review);
  const isLarge = audience !== undefined && needsNumber(campaign, { verb, review });
  const { title, label } = texts[verb];
  return (
    <ConfirmModal
      {...dialog}
      title={title}
      confirmLabel={verb === "send" && audience ? `Send to ${audience.text}` : label}
      isDangerous={false}
      {...isLarge
        ? {
          typed: {
            label: `Type the number of ${audience.noun} to confirm`,
            value: String(audience.count),
          },
        }
        : {}}
      action={action}
      onConfirm={() => action.mutate()}
    >
      <Stack gap="sm">
        <Text size="sm">
          {describe(campaign, { verb, timezone })}{" "}
          {audience === undefined ? "The recipients are being counted." : audience.sentence}
        </Text>
        <StartFacts campaign={campaign} sender={sender} />
        {verb === "resume"
          ? <SenderNotice campaign={campaign} sender={sender} />
          : <ShortWarnings campaign={campaign} />}
      </Stack>
    </ConfirmModal>
  );
}

/** A number of people, as the texts of the dialog have it. */
interface Audience {
  count: number;
  noun: "people" | "recipients";
  /** "about 2 people" */
  text: string;
  sentence: string;
}

/** Counts who gets the email: not those whose address is suppressed or left the topic. */
function describeAudience(
  { recipients }: Campaign,
  review: CampaignReview | undefined,
): Audience | undefined {
  if (recipients !== null) {
    const text = countWhole(recipients, "recipient");
    return { count: recipients, noun: "recipients", text, sentence: `It has ${text}.` };
  }
  if (review === undefined) return undefined;
  const count = countReached(review);
  const people = countWhole(count, "person", "people");
  const isSure = review.is_exact && !review.is_computing;
  return {
    count,
    noun: "people",
    text: isSure ? people : `about ${people}`,
    sentence: isSure ? `${people} will get it.` : `About ${people} will get it.`,
  };
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
  return "It starts immediately. You can pause it, but not unsend it.";
}

interface Facts {
  verb: StartVerb;
  review: CampaignReview | undefined;
}

/** Returns whether the api needs the number of recipients as confirmation. */
function needsNumber({ reason }: Campaign, { verb, review }: Facts): boolean {
  if (verb === "resume") return reason === "confirmation";
  return review !== undefined && review.recipients > review.confirm_above;
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
