import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeView } from "./view_queries.ts";

export const deleteView = defineRoute({
  operationId: "deleteView",
  method: "DELETE",
  path: "/views/{id}",
  tag: "Views",
  summary: "Delete a view",
  scopes: ["views:write"],
  leastRole: "member",
  params,
  entity: "View",
  status: 204,
  action: "view.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const removed = await removeView(tx, { workspaceId, viewId: params.id });
    await audit(params.id, { ...requireFound(removed, "View") });
  },
});
