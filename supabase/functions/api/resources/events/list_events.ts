import { z } from "zod";
import { listCustomerEvents, listEvents as listRows } from "./event_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, text, time, uuid } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { event } from "../../contract/events.ts";
import { positionOnTimeline, timeline } from "./timeline.ts";

const form = { list: "events", forms: [timePosition, uuidPosition] };

export const listEvents = defineRoute({
  operationId: "listEvents",
  method: "GET",
  path: "/events",
  tag: "Events",
  summary: "List events",
  description: "Newest first by time of receipt, from since (included) until (excluded). With " +
    "customer_id, order and range use the time of occurrence instead.",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    name: text(200).optional(),
    customer_id: uuid.optional(),
    since: time.optional(),
    until: time.optional(),
    ...paging,
  }),
  status: 200,
  response: pageOf(event),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, customer_id: customerId, ...filter } = query;
    if (customerId !== undefined) {
      const page = readPage(timeline, { limit, cursor });
      const rows = await listCustomerEvents(tx, { workspaceId, customerId, ...filter, ...page });
      return toPage(timeline, { rows, limit, positionOf: positionOnTimeline });
    }
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(form, { limit, cursor }),
    });
    return toPage(form, { rows, limit, positionOf: ({ received_at, id }) => [received_at, id] });
  },
});
