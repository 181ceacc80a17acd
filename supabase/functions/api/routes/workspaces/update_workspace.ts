import { findWorkspace, renameWorkspace } from "../../../_shared/db/workspaces.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspace, workspaceFields } from "./schema.ts";

export const updateWorkspace = defineRoute({
  operationId: "updateWorkspace",
  method: "PATCH",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Rename a workspace",
  scopes: [],
  leastRole: "owner",
  workspace: "path",
  params,
  body: workspaceFields,
  status: 200,
  answer: workspace,
  action: "workspace.update",
  async handle({ tx, caller, workspaceId, body, audit }) {
    const { userId } = requireUser(caller);
    await renameWorkspace(tx, { workspaceId, name: body.name });
    await audit(workspaceId, { fields: Object.keys(body) });
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
