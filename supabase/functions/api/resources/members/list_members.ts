import { z } from "zod";
import { listMembers as listRows } from "./member_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, queryBoolean } from "../../contract/fields.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { member } from "../../contract/members.ts";

const form = { list: "members", forms: [timePosition, uuidPosition] };

export const listMembers = defineRoute({
  operationId: "listMembers",
  method: "GET",
  path: "/members",
  tag: "Members",
  summary: "List members and invitations",
  scopes: [],
  leastRole: "viewer",
  query: z.strictObject({
    ...paging,
    joined: queryBoolean.optional().meta({
      description: "true: only members; false: only invitations.",
    }),
  }),
  status: 200,
  response: pageOf(member),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, {
      workspaceId,
      joined: query.joined,
      ...readPage(form, query),
    });
    const page = toPage(form, {
      rows,
      limit: query.limit,
      positionOf: ({ position_at, id }) => [position_at, id],
    });
    return { ...page, data: page.data.map(withoutPosition) };
  },
});
