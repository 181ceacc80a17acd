import { z } from "zod";
import { listEventNames } from "../usage/usage_queries.ts";
import { textPosition, timePosition } from "../../kernel/cursor.ts";
import { pageOf, paging, timestamp } from "../../contract/fields.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listServiceEventTypes } from "./service_event_types.ts";

const form = { list: "event-types", forms: [timePosition, textPosition] };

const trackedType = z.object({
  name: z.string().meta({ example: "order_completed" }),
  events: z.int().meta({ description: "Number of events." }),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
}).meta({ id: "TrackedEventType" });

const serviceType = z.object({ type: z.string(), description: z.string() })
  .meta({ id: "ServiceEventType" });

export const listEventTypes = defineRoute({
  operationId: "listEventTypes",
  method: "GET",
  path: "/event-types",
  tag: "Events",
  summary: "List the event types a destination can subscribe to",
  description: "Lists the service's own types, and the names of tracked events: at most 1,000, " +
    "most recently discovered first. The list is up to date within seconds.",
  scopes: ["destinations:read"],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(trackedType).extend({ service: z.array(serviceType) }),
  async handle({ tx, workspaceId, query }) {
    const rows = await listEventNames(tx, { workspaceId, ...readPage(form, query) });
    const page = toPage(form, {
      rows,
      limit: query.limit,
      positionOf: ({ position_at, name }) => [position_at, name],
    });
    return {
      ...page,
      data: page.data.map(withoutPosition),
      service: await listServiceEventTypes(tx),
    };
  },
});
