import { findRun } from "./run_queries.ts";
import { params } from "../../contract/fields.ts";
import { run } from "../../contract/journeys.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const getRun = defineRoute({
  operationId: "getRun",
  method: "GET",
  path: "/runs/{id}",
  tag: "Journeys",
  summary: "Get a run with its steps",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params,
  entity: "Run",
  status: 200,
  response: run,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findRun(tx, { workspaceId, runId: params.id }), "Run");
  },
});
