import { findJob } from "./job_queries.ts";
import { findRehearsal } from "./rehearsal_queries.ts";
import { job } from "../../contract/jobs.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const getJob = defineRoute({
  operationId: "getJob",
  method: "GET",
  path: "/jobs/{id}",
  tag: "Destinations",
  summary: "Get the progress of a replay, recovery, discard or rehearsal",
  scopes: [
    "destinations:read",
    "destinations:write",
    "deliveries:read",
    "deliveries:write",
    "journeys:read",
    "journeys:write",
  ],
  leastRole: "viewer",
  params,
  entity: "Job",
  status: 200,
  response: job,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, jobId: params.id };
    return requireFound(await findJob(tx, key) ?? await findRehearsal(tx, key), "Job");
  },
});
