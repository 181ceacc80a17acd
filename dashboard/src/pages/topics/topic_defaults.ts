import type { Topic } from "../../api/types.ts";

/** The defaults of topics, and who gets the messages of each. */
export const topicDefaults: Readonly<Record<Topic["default"], { label: string; who: string }>> = {
  unsubscribed: { label: "Opt-in", who: "only people who subscribed" },
  subscribed: { label: "Opt-out", who: "everyone who has not unsubscribed" },
};
