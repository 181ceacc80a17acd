import { z } from "zod";
import { listMembers as listRows } from "../../../_shared/db/members.ts";
import { timePlace, uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { readPage, toPage, withoutPlace } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { member } from "./schema.ts";

const form = { list: "members", forms: [timePlace, uuidPlace] };

export const listMembers = defineRoute({
  operationId: "listMembers",
  method: "GET",
  path: "/members",
  tag: "Members",
  summary: "List members and invitations",
  scopes: [],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(member),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    const page = toPage(form, {
      rows,
      limit: query.limit,
      placeOf: ({ place_at, id }) => [place_at, id],
    });
    return { ...page, data: page.data.map(withoutPlace) };
  },
});
