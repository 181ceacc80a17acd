import { z } from "zod";
import { listWorkspaces as listRows } from "../../../_shared/db/workspaces.ts";
import { uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { placeOfId, readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspace } from "./schema.ts";

const form = { list: "workspaces", forms: [uuidPlace] };

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
  answer: pageOf(workspace),
  async handle({ tx, caller, query }) {
    const { userId } = requireUser(caller);
    const rows = await listRows(tx, { userId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, placeOf: placeOfId });
  },
});
