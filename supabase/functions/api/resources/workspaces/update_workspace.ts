import { changeSendSettings } from "./send_setting_queries.ts";
import { changeWorkspace, findWorkspace } from "./workspace_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { workspace, workspaceEdit } from "../../contract/workspaces.ts";
import { getWorkspace } from "./get_workspace.ts";

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
  entity: "Workspace",
  body: workspaceEdit,
  status: 200,
  response: workspace,
  errors: ["conflict"],
  action: "workspace.update",
  shownBy: getWorkspace,
  async handle({ tx, caller, workspaceId, body, audit }) {
    const { userId } = requireUser(caller);
    const hasChanged = await changeSendSettings(tx, { workspaceId, edit: body });
    await changeWorkspace(tx, { workspaceId, hasChanged, ...body });
    await audit(workspaceId, { fields: Object.keys(body) });
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
