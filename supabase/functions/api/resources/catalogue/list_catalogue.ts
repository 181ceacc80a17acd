import { z } from "zod";
import { cataloguedEvent } from "../../contract/catalogue.ts";
import { oneOf, pageOf, paging, queryBoolean, text } from "../../contract/fields.ts";
import { textPosition, timePosition } from "../../kernel/cursor.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listCatalogue as listRows } from "./catalogue_queries.ts";

const form = { list: "catalogue", forms: [timePosition, textPosition] };

export const listCatalogue = defineRoute({
  operationId: "listCatalogue",
  method: "GET",
  path: "/catalogue",
  tag: "Catalogue",
  summary: "List event names with their descriptions and volume",
  description: "The most recently discovered first, at most 1,000.",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    ...paging,
    q: text(200).optional().meta({ description: "A part of the name." }),
    status: oneOf(["expected", "unexpected", "none"]).optional().meta({
      description: "none: nobody has decided.",
    }),
    service: queryBoolean.optional().meta({
      description: "true: only names of events that the service stores itself, such as " +
        "`email_sent`. false: only others.",
    }),
  }),
  status: 200,
  response: pageOf(cataloguedEvent),
  async handle({ tx, workspaceId, query }) {
    const { q, status, service, limit } = query;
    const page = readPage(form, query);
    const rows = await listRows(tx, { workspaceId, q, status, service, ...page });
    const { data, next_cursor } = toPage(form, {
      rows,
      limit,
      positionOf: ({ position_at, name }) => [position_at, name],
    });
    return { data: data.map(withoutPosition), next_cursor };
  },
});
