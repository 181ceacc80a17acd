import { z } from "zod";
import { listInvitations as listRows } from "./invitation_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { newestFirst, positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
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
  isInAnyCell: true,
  async handle({ readCells, query }) {
    const page = readPage(form, query);
    const found = await readCells((tx) => listRows(tx, page));
    const rows = newestFirst(found).slice(0, page.limit + 1);
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
