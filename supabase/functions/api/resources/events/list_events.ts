import { z } from "zod";
import { countEvents, listFilteredEvents } from "./filter_queries.ts";
import { listCustomerEvents, listEvents as listRows } from "./event_queries.ts";
import { type Position, timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import type { Caller } from "../../kernel/caller.ts";
import { pageOf, paging, text, time, uuid } from "../../contract/fields.ts";
import { nameFilter } from "../../kernel/name_filter.ts";
import { readPage, toPage, withCount } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listLeaves } from "../../contract/conditions/canonical.ts";
import { filter as conditionText } from "../../contract/conditions/schema.ts";
import type { Condition, Leaf } from "../../contract/conditions/types.ts";
import { event } from "../../contract/events.ts";
import { countOption, filteredCount } from "../../contract/segments.ts";
import { positionOnTimeline, timeline } from "./timeline.ts";

const hiddenOnly = z.enum(["false"], { error: 'must be "false"' })
  .transform((): false => false)
  .meta({ type: "boolean", enum: undefined, const: false });

const form = { list: "events", forms: [timePosition, uuidPosition] };

export const listEvents = defineRoute({
  operationId: "listEvents",
  method: "GET",
  path: "/events",
  tag: "Events",
  summary: "List events",
  description: "Newest first by time of receipt, from since (included) until (excluded). With " +
    "customer_id and without a filter, order and range use the time of occurrence instead.",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    name: text(200).optional(),
    service: hiddenOnly.optional().meta({
      description: "false: leaves out events that the service stores itself, such as `email_sent`.",
    }),
    customer_id: uuid.optional(),
    since: time.optional(),
    until: time.optional(),
    filter: conditionText({ allowsProperty: true }).optional().meta({
      description: "A condition as JSON. A leaf with `property`, `op` and `value` is about the " +
        "event. All other leaves are about its customer, and need the scope `customers:read` " +
        "unless they are about events. The first page has the number of events as `count`.",
      example: '{"property":"total","op":"gte","value":100}',
    }),
    ...countOption,
    ...paging,
  }),
  status: 200,
  response: pageOf(event).extend(filteredCount),
  async handle({ tx, workspaceId, query, caller, isExport }) {
    const { limit, cursor, count = true, customer_id: customerId, ...filters } = query;
    const { filter: condition, ...filter } = filters;
    if (condition !== undefined) {
      requireProfiles(caller, condition);
      const page = readPage(form, { limit, cursor });
      const search = { workspaceId, customerId, ...filter, condition, ...page };
      const rows = await nameFilter(listFilteredEvents(tx, search));
      const found = toPage(form, { rows, limit, positionOf: positionInList });
      const isCounted = count && cursor === undefined && !isExport;
      return isCounted ? await withCount(found, () => countEvents(tx, search)) : found;
    }
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
    return toPage(form, { rows, limit, positionOf: positionInList });
  },
});

/** Refuses a key that may not read customers and asks for their profiles, segments or topics. */
function requireProfiles(caller: Caller, condition: Condition): void {
  if (caller.kind !== "key") return;
  const { scopes } = caller.key;
  if (scopes.has("customers:read") || scopes.has("customers:write")) return;
  const known = ["property", "event", "bucket"];
  const isKnown = (leaf: Leaf) =>
    known.some((kind) => kind in leaf) || "field" in leaf && leaf.field.startsWith("context.");
  if (listLeaves(condition).every(isKnown)) return;
  const message = 'API key lacks the scope "customers:read", which this filter needs';
  throw new ApiError("insufficient_scope", message);
}

function positionInList({ received_at, id }: { received_at: string; id: string }): Position {
  return [received_at, id];
}
