import { findSource } from "../../../_shared/db/sources.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { source } from "./schema.ts";

export const getSource = defineRoute({
  operationId: "getSource",
  method: "GET",
  path: "/sources/{id}",
  tag: "Sources",
  summary: "Read a source",
  scopes: ["sources:read"],
  leastRole: "viewer",
  params,
  status: 200,
  answer: source,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findSource(tx, { workspaceId, sourceId: params.id }), "Source");
  },
});
