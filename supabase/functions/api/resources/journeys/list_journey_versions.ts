import { z } from "zod";
import { requireJourneyId } from "./journey_queries.ts";
import { listVersions } from "./version_queries.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { journeyVersion } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { positionLike } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";

const form = { list: "journey-versions", forms: [positionLike(/^\d{1,9}$/)] };
// A version may hold 128 KiB.
const maxVersions = 20;

export const listJourneyVersions = defineRoute({
  operationId: "listJourneyVersions",
  method: "GET",
  path: "/journeys/{id}/versions",
  tag: "Journeys",
  summary: "List the published versions of a journey",
  description: "Lists versions with their definitions, newest first, at most 20 per page.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(journeyVersion),
  async handle({ tx, workspaceId, params, query }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const limit = Math.min(query.limit, maxVersions);
    const page = readPage(form, { ...query, limit });
    const rows = await listVersions(tx, { workspaceId, journeyId, ...page });
    return toPage(form, { rows, limit, positionOf: ({ version }) => [`${version}`] });
  },
});
