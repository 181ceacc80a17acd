import { findRejectedEntry } from "../../../_shared/db/rejected_entries.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { rejectedEntry, showRejected } from "./schema.ts";

export const getRejectedEntry = defineRoute({
  operationId: "getRejectedEntry",
  method: "GET",
  path: "/rejected-entries/{id}",
  tag: "Rejected entries",
  summary: "Read an entry that was refused",
  scopes: ["events:read"],
  leastRole: "viewer",
  params,
  status: 200,
  answer: rejectedEntry,
  async handle({ tx, workspaceId, params }) {
    const found = await findRejectedEntry(tx, { workspaceId, entryId: params.id });
    return showRejected(requireFound(found, "Rejected entry"));
  },
});
