import { z } from "zod";
import { discardedReason, mostDiscarded } from "../../contract/rejected_entries.ts";
import { defineRoute } from "../../kernel/route.ts";
import { discardEntries } from "./rejected_entry_queries.ts";

export const discardRejectedEntries = defineRoute({
  operationId: "discardRejectedEntries",
  method: "POST",
  path: "/rejected-entries/discard",
  tag: "Rejected entries",
  summary: "Discard the rejected entries of a reason",
  description:
    `Discards up to ${mostDiscarded} entries of a group, the oldest first. Repeat the call while ` +
    "`is_complete` is false.",
  scopes: ["events:write"],
  leastRole: "member",
  body: discardedReason,
  status: 200,
  response: z.object({
    discarded: z.int(),
    is_complete: z.boolean().meta({ description: "False if there may be more." }),
  }).meta({ id: "DiscardedEntries" }),
  action: "rejected_reason.discard",
  async handle({ tx, workspaceId, body: { until, ...reason }, audit }) {
    const filter = { workspaceId, reason, until, limit: mostDiscarded };
    const discarded = await discardEntries(tx, filter);
    // Without the reason and the field, which can hold what a customer is called.
    const { code, origin, source_id } = reason;
    await audit(code, discarded === 0 ? { fields: [] } : { origin, source_id, discarded });
    return { discarded, is_complete: discarded < mostDiscarded };
  },
});
