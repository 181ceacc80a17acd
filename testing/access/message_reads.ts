import type { LargeWorkspace } from "../data/large_workspace.ts";
import { ago, pick, type Reads } from "./api_read.ts";

/** Lists the reads of messages to destinations. */
export function listMessageReads(large: LargeWorkspace): Reads {
  const { busiestId, customerIds } = large;
  const destination = (n: number) => pick(large.destinationIds, n);
  return {
    exportMessages: [
      ["an hour", () => `/messages/export?since=${ago(400)}&until=${ago(399)}`],
      [
        "an hour of a customer",
        () => `/messages/export?customer_id=${busiestId}&since=${ago(400)}&until=${ago(399)}`,
      ],
    ],
    listMessages: [
      ["newest", () => "/messages"],
      ["200 rows", () => "/messages?limit=200"],
      ["of a destination", (n) => `/messages?destination_id=${destination(n)}`],
      ...["waiting", "retrying", "held", "delivered", "given_up", "missed"].map(
        (state): [string, (n: number) => string] => [state, () => `/messages?state=${state}`],
      ),
      ["retrying or held", () => "/messages?state=retrying,held"],
      ["given up or missed", () => "/messages?state=given_up,missed"],
      ["given up by one", (n) => `/messages?destination_id=${destination(n)}&state=given_up`],
      ["of a type", () => "/messages?event_type=event_2"],
      ["of a rare type", () => "/messages?event_type=account_frozen"],
      ["rare type, given up", () => "/messages?event_type=account_frozen&state=given_up"],
      ["of a customer", (n) => `/messages?customer_id=${pick(customerIds, n)}`],
      ["of a busy customer", () => `/messages?customer_id=${busiestId}`],
      ["of a busy customer, 200 rows", () => `/messages?customer_id=${busiestId}&limit=200`],
      [
        "of a busy customer, held or missed",
        () => `/messages?customer_id=${busiestId}&state=held,missed`,
      ],
      [
        "of a busy customer, given up",
        () => `/messages?customer_id=${busiestId}&state=given_up`,
      ],
      [
        "of a busy customer at one destination",
        (n) => `/messages?customer_id=${busiestId}&destination_id=${destination(n)}`,
      ],
      [
        "of a busy customer, a rare type",
        () => `/messages?customer_id=${busiestId}&event_type=account_frozen`,
      ],
      [
        "of a busy customer, a day long ago",
        (n) => `/messages?customer_id=${busiestId}&since=${ago(400 + n)}&until=${ago(376 + n)}`,
      ],
      ["of an unknown customer", () => `/messages?customer_id=${crypto.randomUUID()}`],
      ["unknown destination", () => `/messages?destination_id=${crypto.randomUUID()}`],
      ["a day long ago", (n) => `/messages?since=${ago(400 + n)}&until=${ago(376 + n)}`],
    ],
    getMessage: [["", (n) => `/messages/${pick(large.messageIds, n)}`]],
  };
}
