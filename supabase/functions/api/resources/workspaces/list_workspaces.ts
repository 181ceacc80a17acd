import { z } from "zod";
import { listWorkspaces as listRows } from "./workspace_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { newestFirst, positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { workspace } from "../../contract/workspaces.ts";

const form = { list: "workspaces", forms: [uuidPosition] };

export const listWorkspaces = defineRoute({
  operationId: "listWorkspaces",
  method: "GET",
  path: "/workspaces",
  tag: "Workspaces",
  summary: "List the workspaces you belong to",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(workspace),
  async handle({ readCells, caller, query }) {
    const { userId } = requireUser(caller);
    const page = { userId, ...readPage(form, query) };
    const found = await readCells((tx) => listRows(tx, page));
    const rows = newestFirst(found).slice(0, page.limit + 1);
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
