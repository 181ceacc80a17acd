import { deleteWorkspace as deleteRow } from "./workspace_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";

export const deleteWorkspace = defineRoute({
  operationId: "deleteWorkspace",
  method: "DELETE",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Delete a workspace and everything in it",
  description: "Access ends immediately. Its data, including the audit log, is erased within " +
    "minutes.",
  scopes: [],
  leastRole: "owner",
  workspace: "path",
  params,
  entity: "Workspace",
  status: 204,
  async handle({ tx, workspaceId }) {
    await deleteRow(tx, workspaceId);
  },
});
