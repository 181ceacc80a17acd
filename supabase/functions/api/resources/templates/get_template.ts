import { namedParams } from "../../contract/resource_names.ts";
import { template } from "../../contract/templates.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findTemplate } from "./template_queries.ts";

export const getTemplate = defineRoute({
  operationId: "getTemplate",
  method: "GET",
  path: "/templates/{id}",
  tag: "Templates",
  summary: "Get a template",
  scopes: ["templates:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Template",
  status: 200,
  response: template,
  async handle({ tx, workspaceId, params }) {
    const found = await findTemplate(tx, { workspaceId, name: params.id });
    return requireFound(found, "Template");
  },
});
