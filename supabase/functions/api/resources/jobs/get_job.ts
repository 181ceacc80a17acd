import { z } from "zod";
import { findJob } from "./job_queries.ts";
import { id, params, timestamp } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

const job = z.object({
  id,
  kind: z.enum(["replay", "recover", "discard"]),
  destination_id: id,
  state: z.enum(["pending", "running", "done"]),
  done: z.int().meta({ description: "Messages queued or discarded so far." }),
  total: z.int().meta({
    description:
      "Messages matched so far; never less than `done`. Grows while a replay finds more.",
  }),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
}).meta({ id: "Job" });

export const getJob = defineRoute({
  operationId: "getJob",
  method: "GET",
  path: "/jobs/{id}",
  tag: "Destinations",
  summary: "Get the progress of a replay, recovery or discard",
  scopes: ["destinations:read", "destinations:write", "deliveries:read", "deliveries:write"],
  leastRole: "viewer",
  params,
  entity: "Job",
  status: 200,
  response: job,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findJob(tx, { workspaceId, jobId: params.id }), "Job");
  },
});
