import { searchQuery, searchResult } from "../../contract/search.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findHits } from "./search_queries.ts";

export const search = defineRoute({
  operationId: "search",
  method: "GET",
  path: "/search",
  tag: "Search",
  summary: "Find anything by its id or the beginning of its name",
  description:
    "Returns only what the caller may read. Ids and names of customers match as in the " +
    "list of customers.",
  scopes: [
    "customers:read",
    "events:read",
    "destinations:read",
    "deliveries:read",
    "sources:read",
    "segments:read",
    "journeys:read",
    "campaigns:read",
    "templates:read",
    "topics:read",
    "senders:read",
    "sends:read",
    "alerts:read",
  ],
  leastRole: "viewer",
  query: searchQuery,
  status: 200,
  response: searchResult,
  async handle({ tx, workspaceId, query }) {
    return { data: await findHits(tx, { workspaceId, q: query.q.trim() }) };
  },
});
