import { z } from "zod";
import { listMessages as listRows, type Message } from "./message_queries.ts";
import { encodeCursor, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, someOf, text, time, uuid } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { message, messageStates } from "../../contract/messages.ts";

const form = { list: "messages", forms: [uuidPosition, uuidPosition] };
const positionOf = ({ id, destination_id }: { id: string; destination_id: string }) => {
  return [id, destination_id];
};

export const listMessages = defineRoute({
  operationId: "listMessages",
  method: "GET",
  path: "/messages",
  tag: "Messages",
  summary: "List messages with their state at each destination",
  description: "Lists one row per message and destination, for messages created from since " +
    "(included) to until (excluded). A page can be short or empty even if `next_cursor` is not " +
    "null.",
  scopes: ["deliveries:read"],
  leastRole: "viewer",
  query: z.strictObject({
    destination_id: uuid.optional(),
    customer_id: uuid.optional().meta({
      description: "Also finds messages about the 50 records that were merged into the customer " +
        "last.",
    }),
    event_type: text(200).optional(),
    state: someOf(messageStates).optional().meta({
      description: "One state, or several, separated by commas.",
    }),
    since: time.optional(),
    until: time.optional(),
    ...paging,
  }),
  status: 200,
  response: pageOf(message),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const page = readPage(form, { limit, cursor });
    const listed = await listRows(tx, { workspaceId, ...filter, ...page });
    const rows = listed.filter((row): row is Message => row.state !== null);
    const stop = listed.find(({ state }) => state === null);
    const made = toPage(form, { rows, limit, positionOf });
    if (made.next_cursor !== null || stop === undefined) return made;
    return { ...made, next_cursor: encodeCursor(form.list, positionOf(stop)) };
  },
});
