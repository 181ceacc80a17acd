import { declineInvitation as declineRow } from "./invitation_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";

export const declineInvitation = defineRoute({
  operationId: "declineInvitation",
  method: "POST",
  path: "/invitations/{id}/decline",
  tag: "Invitations",
  summary: "Decline an invitation",
  description:
    "Admins of the workspace can see that you declined. Declining again changes nothing.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  isInAnyCell: true,
  params,
  entity: "Invitation",
  status: 204,
  errors: ["conflict"],
  async handle({ tx, params, requestId }) {
    await declineRow(tx, { invitationId: params.id, requestId });
  },
});
