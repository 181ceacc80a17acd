import { declineInvitation as declineRow } from "../../../_shared/db/invitations.ts";
import { params } from "../../fields.ts";
import { defineRoute } from "../../route.ts";

export const declineInvitation = defineRoute({
  operationId: "declineInvitation",
  method: "POST",
  path: "/invitations/{id}/decline",
  tag: "Invitations",
  summary: "Decline an invitation",
  description: "The admins of the workspace see it. Declining again changes nothing.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  params,
  status: 204,
  errors: ["conflict"],
  async handle({ tx, params, requestId }) {
    await declineRow(tx, { invitationId: params.id, requestId });
  },
});
