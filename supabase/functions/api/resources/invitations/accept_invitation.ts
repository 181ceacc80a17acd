import { acceptInvitation as acceptRow } from "./invitation_queries.ts";
import { findWorkspace } from "../workspaces/workspace_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { workspace } from "../../contract/workspaces.ts";

export const acceptInvitation = defineRoute({
  operationId: "acceptInvitation",
  method: "POST",
  path: "/invitations/{id}/accept",
  tag: "Invitations",
  summary: "Accept an invitation to a workspace",
  description: "Returns the workspace with your role in it. Accepting again changes nothing. " +
    "Returns 409 if the invitation was declined or has expired, or if you belong to 100 " +
    "workspaces already.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  isInAnyCell: true,
  params,
  entity: "Invitation",
  status: 200,
  response: workspace,
  errors: ["conflict"],
  async handle({ tx, caller, params, requestId }) {
    const { userId } = requireUser(caller);
    const workspaceId = await acceptRow(tx, { invitationId: params.id, requestId });
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
