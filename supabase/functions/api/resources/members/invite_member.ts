import { findMember, inviteMember as inviteRow } from "./member_queries.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { member, newMember } from "../../contract/members.ts";

export const inviteMember = defineRoute({
  operationId: "inviteMember",
  method: "POST",
  path: "/members",
  tag: "Members",
  summary: "Invite a member",
  description: "The user with this confirmed e-mail address has 30 days to accept: see `GET " +
    "/invitations`. The response is the same if the address has no account. The service sends no " +
    "e-mail. A new invitation replaces one that was declined or has expired. Only owners may " +
    "invite owners.",
  scopes: [],
  leastRole: "admin",
  body: newMember,
  status: 201,
  response: member,
  errors: ["conflict", "limit_reached"],
  action: "member.invite",
  async handle({ tx, workspaceId, memberships, body, audit }) {
    const mine = memberships.find((membership) => membership.workspaceId === workspaceId);
    if (body.role === "owner" && mine?.role !== "owner") {
      throw new ApiError("insufficient_role", "Only owners may invite owners");
    }
    const memberId = await inviteRow(tx, { workspaceId, ...body });
    await audit(memberId, { role: body.role });
    const found = await findMember(tx, { workspaceId, memberId });
    return withoutPosition(requireFound(found, "Member"));
  },
});
