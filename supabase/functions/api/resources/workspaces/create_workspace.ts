import { createWorkspace as insertWorkspace, findWorkspace } from "./workspace_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { workspace, workspaceFields } from "../../contract/workspaces.ts";

export const createWorkspace = defineRoute({
  operationId: "createWorkspace",
  method: "POST",
  path: "/workspaces",
  tag: "Workspaces",
  summary: "Create a workspace that you own",
  description:
    "The plan is `free`. One user may create 3 workspaces on it. Workspaces that you were " +
    "invited to do not count. Deleting a workspace frees its place; transferring it does not.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  body: workspaceFields,
  status: 201,
  response: workspace,
  errors: ["limit_reached"],
  async handle({ tx, caller, body }) {
    const { userId } = requireUser(caller);
    const workspaceId = await insertWorkspace(tx, body.name);
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
