import { findMember, inviteMember as inviteRow } from "../../../_shared/db/members.ts";
import { ApiError } from "../../../_shared/errors.ts";
import { requireFound } from "../../found.ts";
import { withoutPlace } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { member, newMember } from "./schema.ts";

export const inviteMember = defineRoute({
  operationId: "inviteMember",
  method: "POST",
  path: "/members",
  tag: "Members",
  summary: "Add a member, or invite them",
  description: "Whoever has an account with this address is a member at once. Anybody else joins " +
    "when they sign up with it within 30 days; no e-mail is sent. Only owners make owners.",
  scopes: [],
  leastRole: "admin",
  body: newMember,
  status: 201,
  answer: member,
  errors: ["conflict"],
  action: "member.invite",
  async handle({ tx, workspaceId, memberships, body, audit }) {
    const mine = memberships.find((membership) => membership.workspaceId === workspaceId);
    if (body.role === "owner" && mine?.role !== "owner") {
      throw new ApiError("insufficient_role", "Only owners make owners");
    }
    const memberId = await inviteRow(tx, { workspaceId, ...body });
    await audit(memberId, { role: body.role });
    const found = await findMember(tx, { workspaceId, memberId });
    return withoutPlace(requireFound(found, "Member"));
  },
});
