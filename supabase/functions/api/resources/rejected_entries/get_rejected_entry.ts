import { findRejectedEntry } from "./rejected_entry_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { rejectedEntry } from "../../contract/rejected_entries.ts";
import { showRejected } from "./show_rejected.ts";

export const getRejectedEntry = defineRoute({
  operationId: "getRejectedEntry",
  method: "GET",
  path: "/rejected-entries/{id}",
  tag: "Rejected entries",
  summary: "Get a rejected entry",
  scopes: ["events:read"],
  leastRole: "viewer",
  params,
  entity: "Rejected entry",
  status: 200,
  response: rejectedEntry,
  async handle({ tx, workspaceId, params }) {
    const found = await findRejectedEntry(tx, { workspaceId, entryId: params.id });
    return showRejected(requireFound(found, "Rejected entry"));
  },
});
