import { makeLink } from "./make_link.ts";
import { findMember, mailInvitation as mailRow } from "./member_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { invitationMail, invitedMember } from "../../contract/members.ts";

export const mailInvitation = defineRoute({
  operationId: "mailInvitation",
  method: "POST",
  path: "/members/{id}/mail",
  tag: "Members",
  summary: "Mail an invitation again",
  description:
    "A sender of the workspace mails the link of an open invitation, which ends when it " +
    "did before. A workspace mails at most 20 invitations per hour: see `mail`.",
  scopes: [],
  leastRole: "admin",
  params,
  entity: "Member",
  body: invitationMail,
  status: 202,
  response: invitedMember,
  errors: ["conflict"],
  action: "member.mail",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, memberId: params.id };
    const { email } = requireFound(await findMember(tx, key), "Member");
    const mail = await mailRow(tx, { ...key, link: makeLink(body.dashboard_url, email ?? "") });
    await audit(params.id, { mail });
    return { ...withoutPosition(requireFound(await findMember(tx, key), "Member")), mail };
  },
});
