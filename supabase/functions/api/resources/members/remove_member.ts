import { findMember, removeMember as deleteRow } from "./member_queries.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const removeMember = defineRoute({
  operationId: "removeMember",
  method: "DELETE",
  path: "/members/{id}",
  tag: "Members",
  summary: "Remove a member, withdraw an invitation, or leave",
  description:
    "All members may remove themselves. Only owners may remove owners, and nobody can remove the " +
    "last owner. Admins may withdraw any invitation.",
  scopes: [],
  leastRole: "admin",
  selfParam: "id",
  params,
  entity: "Member",
  status: 204,
  errors: ["conflict"],
  action: ["member.remove", "member.withdraw"],
  async handle({ tx, workspaceId, params, audit }) {
    const key = { workspaceId, memberId: params.id };
    const { role, state } = requireFound(await findMember(tx, key), "Member");
    const action = state === "active" ? "member.remove" : "member.withdraw";
    // Audit first: after leaving, the user may no longer write to the log.
    await audit({ id: params.id, action }, { role, state });
    if (!await deleteRow(tx, key)) {
      // The member exists, unless the invitation was accepted in the meantime.
      requireFound(await findMember(tx, key), "Member");
      throw new ApiError("insufficient_role", "Only owners may remove owners");
    }
  },
});
