import { findUse, findWorkspace } from "./workspace_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { workspaceWithUse } from "../../contract/workspaces.ts";

export const getWorkspace = defineRoute({
  operationId: "getWorkspace",
  method: "GET",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Get a workspace with its limits and usage",
  scopes: [],
  leastRole: "viewer",
  workspace: "path",
  params,
  entity: "Workspace",
  status: 200,
  response: workspaceWithUse,
  async handle({ tx, caller, workspaceId }) {
    const { userId } = requireUser(caller);
    const found = requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
    return { ...found, use: await findUse(tx, workspaceId) };
  },
});
