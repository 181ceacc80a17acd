import { params } from "../../contract/fields.ts";
import { rejectedEntry } from "../../contract/rejected_entries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { discardEntry, findRejectedEntry } from "./rejected_entry_queries.ts";
import { showRejected } from "./show_rejected.ts";

export const discardRejectedEntry = defineRoute({
  operationId: "discardRejectedEntry",
  method: "POST",
  path: "/rejected-entries/{id}/discard",
  tag: "Rejected entries",
  summary: "Discard a rejected entry",
  description:
    "Puts an entry aside that nobody will fix. It leaves the groups of reasons, and can still be " +
    "read and resent until its retention ends.",
  scopes: ["track:write"],
  leastRole: "member",
  params,
  entity: "Rejected entry",
  status: 200,
  response: rejectedEntry,
  errors: ["conflict"],
  action: "rejected_entry.discard",
  async handle({ tx, workspaceId, params, audit }) {
    const key = { workspaceId, entryId: params.id };
    const isDiscarded = await discardEntry(tx, key);
    const entry = requireFound(await findRejectedEntry(tx, key), "Rejected entry");
    if (!isDiscarded) {
      throw new ApiError("conflict", "Cannot discard entry: it was already resent");
    }
    await audit(params.id);
    return showRejected(entry);
  },
});
