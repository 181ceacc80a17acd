import { makeLink } from "./make_link.ts";
import {
  findMember,
  type InvitationMail,
  inviteMember as inviteRow,
  mailInvitation,
} from "./member_queries.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { invitedMember, newMember } from "../../contract/members.ts";

export const inviteMember = defineRoute({
  operationId: "inviteMember",
  method: "POST",
  path: "/members",
  tag: "Members",
  summary: "Invite a member",
  description: "The user with this confirmed e-mail address has 30 days to accept: see `GET " +
    "/invitations`. The response is the same if the address has no account. With `dashboard_url`, " +
    "a sender of the workspace mails the link, at most 20 times per hour. A new invitation " +
    "replaces one that was declined or has expired. Only owners may invite owners.",
  scopes: [],
  leastRole: "admin",
  body: newMember,
  status: 201,
  response: invitedMember,
  errors: ["conflict", "limit_reached"],
  action: "member.invite",
  async handle({ tx, workspaceId, memberships, body, audit }) {
    const mine = memberships.find((membership) => membership.workspaceId === workspaceId);
    if (body.role === "owner" && mine?.role !== "owner") {
      throw new ApiError("insufficient_role", "Only owners may invite owners");
    }
    const { dashboard_url: url, ...invited } = body;
    const memberId = await inviteRow(tx, { workspaceId, ...invited });
    const key = { workspaceId, memberId };
    const mail: InvitationMail | "not_asked" = url === undefined
      ? "not_asked"
      : await mailInvitation(tx, { ...key, link: makeLink(url, body.email) });
    await audit(memberId, { role: body.role, mail });
    return { ...withoutPosition(requireFound(await findMember(tx, key), "Member")), mail };
  },
});
