import { z } from "zod";
import { listInvitations as listRows } from "./invitation_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { invitation } from "../../contract/invitations.ts";

const form = { list: "invitations", forms: [uuidPosition] };

export const listInvitations = defineRoute({
  operationId: "listInvitations",
  method: "GET",
  path: "/invitations",
  tag: "Invitations",
  summary: "List your open invitations",
  description: "Invitations to the confirmed e-mail address of your account.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(invitation),
  async handle({ tx, query }) {
    const rows = await listRows(tx, readPage(form, query));
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
