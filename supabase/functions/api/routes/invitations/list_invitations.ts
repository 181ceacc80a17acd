import { z } from "zod";
import { listInvitations as listRows } from "../../../_shared/db/invitations.ts";
import { uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { placeOfId, readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { invitation } from "./schema.ts";

const form = { list: "invitations", forms: [uuidPlace] };

export const listInvitations = defineRoute({
  operationId: "listInvitations",
  method: "GET",
  path: "/invitations",
  tag: "Invitations",
  summary: "List the open invitations to you",
  description: "Those to the confirmed address of your account.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(invitation),
  async handle({ tx, query }) {
    const rows = await listRows(tx, readPage(form, query));
    return toPage(form, { rows, limit: query.limit, placeOf: placeOfId });
  },
});
