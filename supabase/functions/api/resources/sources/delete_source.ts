import { deleteSource as deleteRow } from "./source_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const deleteSource = defineRoute({
  operationId: "deleteSource",
  method: "DELETE",
  path: "/sources/{id}",
  tag: "Sources",
  summary: "Delete a source",
  description: "Takes effect within 10 seconds. Receipts and events are kept.",
  scopes: ["sources:write"],
  leastRole: "admin",
  params,
  entity: "Source",
  status: 204,
  action: "source.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const key = { workspaceId, sourceId: params.id };
    const name = requireFound(await deleteRow(tx, key), "Source");
    await audit(params.id, { name });
  },
});
