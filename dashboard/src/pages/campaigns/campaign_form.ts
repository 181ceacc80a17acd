import type { Campaign } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { toFieldTime } from "../../format/clock.ts";
import { templateErrors } from "./template_errors.ts";
import { noTopic, readTopic, topicErrors } from "./topic_field.ts";
import { useOnlySender } from "./use_only_sender.ts";

/** Measure of the winner; none sends each variant to its share. */
export type WinnerBy = "none" | "opened" | "clicked" | "goal";

interface CampaignFormOptions {
  /** Undefined for a new one. */
  campaign?: Campaign;
  /** Audience of a new campaign, if it is chosen already. */
  segment?: string | undefined;
  timeZone: string;
}

/** The form of a campaign, or of a new one. Times are local to the workspace. */
export function useCampaignForm({ campaign, segment, timeZone }: CampaignFormOptions) {
  const goal = campaign?.goal;
  // A draft belongs to the audience that it began with.
  const newDraft = segment === undefined ? "new" : `new:${segment}`;
  const result = useApiForm({
    draft: `campaign:${campaign?.id ?? newDraft}`,
    schema: "newCampaign",
    resource: campaign,
    initialValues: {
      name: campaign?.name ?? "",
      key: campaign?.key ?? "",
      segment: campaign?.segment ?? segment ?? "",
      exclude: campaign?.exclude ?? [],
      has_variants: (campaign?.variants.length ?? 0) > 0,
      template: campaign?.template ?? "",
      variants: campaign !== undefined && campaign.variants.length > 0
        ? campaign.variants
        : [{ template: "", weight: 1 }, { template: "", weight: 1 }],
      winner_by: (campaign?.winner?.by ?? "none") as WinnerBy,
      winner_share: (campaign?.winner?.share ?? 20) as number | "",
      winner_after: campaign?.winner?.after ?? "4h",
      goal: goal && "event" in goal ? String(goal.event) : "",
      sender: campaign?.sender ?? "",
      topic: campaign === undefined ? "" : campaign.topic ?? noTopic,
      send_at: campaign?.send_at ? toFieldTime(campaign.send_at, timeZone) : "",
      zone: campaign?.zone ?? "workspace",
      per_minute: (campaign?.per_minute ?? "") as number | "",
      spread_over: campaign?.spread_over ?? "",
      not_after: campaign?.not_after ?? "",
    },
    check: (values) => ({ ...templateErrors(values), ...topicErrors(values) }),
    toBody: (values) => {
      const { has_variants, winner_by, template, goal } = values;
      const hasWinner = has_variants && winner_by !== "none";
      return {
        name: values.name,
        key: textOrNull(values.key),
        segment: values.segment,
        exclude: values.exclude,
        template: has_variants ? null : textOrNull(template),
        variants: has_variants ? values.variants : [],
        winner: hasWinner
          ? {
            share: values.winner_share || 20,
            after: values.winner_after.trim(),
            by: winner_by,
          }
          : null,
        goal: hasWinner && winner_by === "goal" && goal ? { event: goal } : null,
        sender: values.sender,
        topic: readTopic(values.topic),
        send_at: textOrNull(values.send_at.replace(" ", "T")),
        zone: values.zone,
        per_minute: values.per_minute || null,
        spread_over: textOrNull(values.spread_over),
        not_after: textOrNull(values.not_after),
      };
    },
  });
  useOnlySender(result.form);
  return result;
}

export type CampaignForm = ReturnType<typeof useCampaignForm>["form"];

const pausedFields = [
  "name",
  "key",
  "template",
  "sender",
  "topic",
  "per_minute",
  "not_after",
  "expected",
];

/** Leaves out the fields that a campaign in this state cannot change. */
export function onlyChangeable<Body extends object>(body: Body, campaign: Campaign): Partial<Body> {
  if (campaign.state !== "paused") return body;
  const allowed = pausedFields.filter((field) =>
    field !== "template" || campaign.variants.length === 0
  );
  const entries = Object.entries(body).filter(([field]) => allowed.includes(field));
  return Object.fromEntries(entries) as Partial<Body>;
}
