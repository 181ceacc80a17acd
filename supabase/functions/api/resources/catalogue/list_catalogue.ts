import { z } from "zod";
import { cataloguedEvent } from "../../contract/catalogue.ts";
import { oneOf, pageOf, paging, queryBoolean, text } from "../../contract/fields.ts";
import { type CursorForm, positionLike, textPosition, timePosition } from "../../kernel/cursor.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import {
  type CatalogueSort,
  catalogueSorts,
  listCatalogue as listRows,
} from "./catalogue_queries.ts";

const valueForms = {
  newest: timePosition,
  name: textPosition,
  last_seen: timePosition,
  volume: positionLike(/^\d{1,15}$/),
};

/** Returns the form of the cursors of one order, so that no other order accepts them. */
function formOf(sort: CatalogueSort): CursorForm {
  return { list: `catalogue:${sort}`, forms: [valueForms[sort], textPosition] };
}

export const listCatalogue = defineRoute({
  operationId: "listCatalogue",
  method: "GET",
  path: "/catalogue",
  tag: "Catalogue",
  summary: "List event names with their descriptions and volume",
  description: "At most 1,000 names, the most recently discovered first unless `sort` says else.",
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
    sort: oneOf(catalogueSorts).default("newest").meta({
      description: "name: A to Z. last_seen: the newest event first. volume: the most events " +
        "of the last 8 UTC days first. A cursor is valid for its order only. A name whose event " +
        "arrives between two pages can move by `last_seen` and `volume`.",
      default: "newest",
    }),
  }),
  status: 200,
  response: pageOf(cataloguedEvent),
  async handle({ tx, workspaceId, query }) {
    const { q, status, service, sort, limit } = query;
    const form = formOf(sort);
    const page = readPage(form, query);
    const rows = await listRows(tx, { workspaceId, q, status, service, sort, ...page });
    const { data, next_cursor } = toPage(form, {
      rows,
      limit,
      positionOf: ({ position_at, name }) => [position_at, name],
    });
    return { data: data.map(withoutPosition), next_cursor };
  },
});
