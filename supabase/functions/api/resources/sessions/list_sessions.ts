import { z } from "zod";
import { listSessions as listRows } from "./session_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { session } from "../../contract/sessions.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";

const form = { list: "sessions", forms: [timePosition, uuidPosition] };

export const listSessions = defineRoute({
  operationId: "listSessions",
  method: "GET",
  path: "/sessions",
  tag: "Sessions",
  summary: "List the sessions of your account",
  description: "Where you are signed in. `POST /auth/v1/logout?scope=others` of Supabase Auth " +
    "ends all sessions except the calling one; the API cannot end a session.",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(session),
  async handle({ tx, caller, query }) {
    const { session_id: currentId } = requireUser(caller).claims;
    const rows = await listRows(tx, readPage(form, query));
    const page = toPage(form, {
      rows,
      limit: query.limit,
      positionOf: ({ position_at, id }) => [position_at, id],
    });
    const data = page.data.map(withoutPosition);
    return { ...page, data: data.map((row) => ({ ...row, is_current: row.id === currentId })) };
  },
});
