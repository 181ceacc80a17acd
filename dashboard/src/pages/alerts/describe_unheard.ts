import type { AlertRule, Destination, Sender } from "../../api/types.ts";
import { getsNotices, kindTexts } from "./kind_texts.ts";

/** The things that can carry notices out of the dashboard. */
export interface Carriers {
  destinations: readonly Pick<Destination, "id" | "name" | "enabled" | "event_types">[];
  senders: readonly Pick<Sender, "id" | "name" | "enabled">[];
}

type Rule = Pick<AlertRule, "kind" | "target_id" | "channels">;

/**
 * Says which alerts of a rule nobody hears of who does not look at the dashboard.
 *
 * A destination gets no alert about itself, and mails of a sender that fails wait: neither counts
 * as somebody who hears of it.
 *
 * @returns undefined if every alert reaches somebody
 */
export function describeUnheard(rule: Rule, { destinations, senders }: Carriers) {
  const chosen = new Set(
    rule.channels.map((channel) =>
      channel.type === "email" ? channel.sender_id : channel.destination_id
    ),
  );
  const carrying = [
    ...destinations.filter(({ id, event_types }) => chosen.has(id) || getsNotices(event_types))
      .map((destination) => ({ ...destination, path: "destinations" })),
    ...senders.filter(({ id }) => chosen.has(id)).map((sender) => ({ ...sender, path: "senders" })),
  ];
  const [only, ...others] = carrying.filter(({ id, enabled }) => enabled && id !== rule.target_id);
  if (only === undefined) return "Nobody is notified outside the dashboard";
  const isWatched = rule.target_id === null && only.path === kindTexts[rule.kind].path;
  return isWatched && others.length === 0
    ? `Nobody is notified about “${only.name}” outside the dashboard`
    : undefined;
}
