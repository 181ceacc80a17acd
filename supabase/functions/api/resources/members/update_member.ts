import { z } from "zod";
import { changeRole, findMember } from "./member_queries.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { params } from "../../contract/fields.ts";
import { listChanges } from "../../kernel/changes.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { member, role } from "../../contract/members.ts";

export const updateMember = defineRoute({
  operationId: "updateMember",
  method: "PATCH",
  path: "/members/{id}",
  tag: "Members",
  summary: "Change the role of a member or an invitation",
  description: "Only owners may grant or remove the role owner. The last owner keeps it.",
  scopes: [],
  leastRole: "admin",
  params,
  entity: "Member",
  body: z.strictObject({ role }),
  status: 200,
  response: member,
  errors: ["conflict"],
  action: "member.update",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, memberId: params.id };
    const before = requireFound(await findMember(tx, key), "Member");
    const isOwnerAffair = before.role === "owner" || body.role === "owner";
    if (!await changeRole(tx, { ...key, role: body.role }).catch(explainRefusal)) {
      // The member exists, unless the invitation was accepted in the meantime.
      requireFound(await findMember(tx, key), "Member");
      throw refusal(isOwnerAffair);
    }
    await audit(params.id, {
      fields: ["role"],
      changes: listChanges(["role"], { before, after: body }),
    });
    return withoutPosition(requireFound(await findMember(tx, key), "Member"));
  },
});

function explainRefusal(error: unknown): never {
  // SQLSTATE of the policy's check on the new row.
  throw error instanceof Error && "code" in error && error.code === "42501" ? refusal(true) : error;
}

function refusal(isOwnerAffair: boolean): Error {
  return isOwnerAffair
    ? new ApiError("insufficient_role", "Only owners may grant or remove the role owner")
    : new ApiError("insufficient_role", "Your role does not allow you to change this member");
}
