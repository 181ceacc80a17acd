import { changeWorkspace, findWorkspace } from "../../../_shared/db/workspaces.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspace, workspaceEdit } from "./schema.ts";

export const updateWorkspace = defineRoute({
  operationId: "updateWorkspace",
  method: "PATCH",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Change a workspace",
  scopes: [],
  leastRole: "owner",
  workspace: "path",
  params,
  body: workspaceEdit,
  status: 200,
  answer: workspace,
  action: "workspace.update",
  async handle({ tx, caller, workspaceId, body, audit }) {
    const { userId } = requireUser(caller);
    await changeWorkspace(tx, { workspaceId, ...body });
    await audit(workspaceId, { fields: Object.keys(body) });
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
