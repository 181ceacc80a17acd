import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { topic } from "../../contract/topics.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { listTopics as listRows } from "./topic_queries.ts";

const form = { list: "topics", forms: [uuidPosition] };

export const listTopics = defineRoute({
  operationId: "listTopics",
  method: "GET",
  path: "/topics",
  tag: "Topics",
  summary: "List topics",
  scopes: ["topics:read"],
  leastRole: "viewer",
  query: z.strictObject({ ...nameSort, ...paging }),
  status: 200,
  response: pageOf(topic),
  async handle({ tx, workspaceId, query }) {
    const { sort, limit } = query;
    const sorted = sortedForm(form, sort);
    const rows = await listRows(tx, { workspaceId, sort, ...readPage(sorted, query) });
    return toPage(sorted, { rows, limit, positionOf: positionByName(sort) });
  },
});
