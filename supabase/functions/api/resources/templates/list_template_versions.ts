import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { templateVersion } from "../../contract/templates.ts";
import { positionLike } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findTemplate, listVersions } from "./template_queries.ts";

const form = { list: "template-versions", forms: [positionLike(/^\d{1,9}$/)] };
// A version may hold half a megabyte.
const maxVersions = 20;

export const listTemplateVersions = defineRoute({
  operationId: "listTemplateVersions",
  method: "GET",
  path: "/templates/{id}/versions",
  tag: "Templates",
  summary: "List the versions of a template",
  description: "Lists versions with their bodies, newest first, at most 20 per page.",
  scopes: ["templates:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Template",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(templateVersion),
  async handle({ tx, workspaceId, params, query }) {
    const found = await findTemplate(tx, { workspaceId, name: params.id });
    const templateId = requireFound(found, "Template").id;
    const limit = Math.min(query.limit, maxVersions);
    const page = readPage(form, { ...query, limit });
    const rows = await listVersions(tx, { workspaceId, templateId, ...page });
    return toPage(form, {
      rows,
      limit,
      positionOf: ({ version }) => [`${version}`],
    });
  },
});
