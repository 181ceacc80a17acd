import { findRun, removeRun as removeRow } from "./run_queries.ts";
import { params } from "../../contract/fields.ts";
import { run } from "../../contract/journeys.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const removeRun = defineRoute({
  operationId: "removeRun",
  method: "POST",
  path: "/runs/{id}/remove",
  tag: "Journeys",
  summary: "End a run",
  description: "The run ends with the reason `removed`. A run that has already ended stays as it " +
    "is.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params,
  entity: "Run",
  status: 200,
  response: run,
  action: "run.remove",
  async handle({ tx, workspaceId, params, audit }) {
    const key = { workspaceId, runId: params.id };
    requireFound(await removeRow(tx, key) || undefined, "Run");
    await audit(params.id);
    return requireFound(await findRun(tx, key), "Run");
  },
});
