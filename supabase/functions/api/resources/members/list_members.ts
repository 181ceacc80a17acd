import { z } from "zod";
import { listMembers as listRows } from "./member_queries.ts";
import { timePlace, uuidPlace } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { readPage, toPage, withoutPlace } from "../../kernel/page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { member } from "../../contract/members.ts";

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
