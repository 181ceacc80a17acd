import { params } from "../../contract/fields.ts";
import { rejectedEntry } from "../../contract/rejected_entries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { discardEntry } from "./rejected_entry_queries.ts";

export const discardRejectedEntry = defineRoute({
  operationId: "discardRejectedEntry",
  method: "POST",
  path: "/rejected-entries/{id}/discard",
  tag: "Rejected entries",
  summary: "Discard a rejected entry",
  description:
    "Puts an entry aside that nobody will fix. It leaves the groups of reasons, and can still be " +
    "read and resent until its retention ends.",
  scopes: ["events:write"],
  leastRole: "member",
  params,
  entity: "Rejected entry",
  status: 200,
  // Not the entry: a stored response would keep it longer than its customer.
  response: rejectedEntry.pick({ id: true, discarded_at: true }).meta({ id: "DiscardedEntry" }),
  errors: ["conflict"],
  action: "rejected_entry.discard",
  async handle({ tx, workspaceId, params, audit }) {
    const { id } = params;
    const entry = requireFound(
      await discardEntry(tx, { workspaceId, entryId: id }),
      "Rejected entry",
    );
    if (entry.is_resent) {
      throw new ApiError("conflict", "Cannot discard entry: it was already resent");
    }
    await audit(id, entry.is_new ? {} : { fields: [] });
    return { id, discarded_at: entry.discarded_at };
  },
});
