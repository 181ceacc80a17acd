import type { Campaign, Sender } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";

const refreshMs = 10_000;

const endedStates: readonly Campaign["state"][] = ["completed", "cancelled"];

/** Returns whether a campaign can still send. */
export function canSend({ state }: Pick<Campaign, "state">): boolean {
  return !endedStates.includes(state);
}

/** The sender of a campaign, read again while the campaign can still send; undefined until read. */
export function useCampaignSender(campaign: Campaign): Sender | undefined {
  return useApiItem("GET /senders/{id}", { params: { id: campaign.sender } }, {
    refetchInterval: canSend(campaign) ? refreshMs : false,
  }).data;
}

/** Says in two words why a sender sends nothing: "is failing"; null while it works. */
export function describeTrouble(sender: Pick<Sender, "enabled" | "health">): string | null {
  if (!sender.enabled) return "is disabled";
  return sender.health.state === "failing" ? "is failing" : null;
}

/** Providers that never report what became of a message. */
const silentProviders: readonly Sender["provider"][] = ["smtp", "inbox"];

/** Returns whether the provider of a sender reports deliveries. */
export function reportsDeliveries({ provider }: Pick<Sender, "provider">): boolean {
  return !silentProviders.includes(provider);
}
