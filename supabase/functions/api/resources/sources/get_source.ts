import { findSource } from "./source_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { source } from "../../contract/sources.ts";

export const getSource = defineRoute({
  operationId: "getSource",
  method: "GET",
  path: "/sources/{id}",
  tag: "Sources",
  summary: "Get a source",
  scopes: ["sources:read"],
  leastRole: "viewer",
  params,
  entity: "Source",
  status: 200,
  response: source,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findSource(tx, { workspaceId, sourceId: params.id }), "Source");
  },
});
