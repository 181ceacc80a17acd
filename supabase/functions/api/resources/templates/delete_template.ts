import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeTemplate } from "./template_queries.ts";
import { getTemplate } from "./get_template.ts";

export const deleteTemplate = defineRoute({
  operationId: "deleteTemplate",
  method: "DELETE",
  path: "/templates/{id}",
  tag: "Templates",
  summary: "Delete a template",
  description:
    "Messages that were sent stay readable. You cannot delete a template that a campaign needs.",
  scopes: ["templates:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Template",
  status: 204,
  errors: ["conflict"],
  action: "template.delete",
  shownBy: getTemplate,
  async handle({ tx, workspaceId, params, audit }) {
    await audit(
      requireFound(await removeTemplate(tx, { workspaceId, name: params.id }), "Template"),
    );
  },
});
