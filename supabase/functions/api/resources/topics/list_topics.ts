import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { topic } from "../../contract/topics.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
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
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(topic),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
