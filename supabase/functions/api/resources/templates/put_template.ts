import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { newTemplate, template } from "../../contract/templates.ts";
import { readPathKey } from "../../kernel/path_key.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkContents } from "./check_contents.ts";
import { prepareMjml } from "./prepare_mjml.ts";
import { changeTemplate, findTemplate, insertTemplate } from "./template_queries.ts";
import { getTemplate } from "./get_template.ts";

export const putTemplate = defineRoute({
  operationId: "putTemplate",
  method: "PUT",
  path: "/templates/{id}",
  tag: "Templates",
  summary: "Create or replace a template",
  description:
    "With a key, creates the template or replaces it. With an id, replaces an existing template.",
  scopes: ["templates:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Template",
  body: newTemplate,
  status: 200,
  mayCreate: true,
  response: template,
  errors: ["conflict", "limit_reached"],
  action: ["template.update", "template.create"],
  shownBy: getTemplate,
  prepare: prepareMjml,
  async handle({ tx, workspaceId, params, body, audit, noteCreated, service }) {
    const contents = await checkContents(body, service.compileMjml);
    const fields = {
      name: body.name,
      strict: body.strict ?? false,
      track_opens: body.track_opens ?? true,
      track_clicks: body.track_clicks ?? true,
    };
    const created = isUuid(params.id) ? undefined : await insertTemplate(tx, {
      workspaceId,
      fields: { ...fields, key: readPathKey(params.id, body) },
      contents,
    });
    const named = { workspaceId, name: created ?? params.id };
    const { id } = requireFound(await findTemplate(tx, named), "Template");
    if (created === undefined) {
      const change = {
        workspaceId,
        templateId: id,
        fields: { ...fields, key: body.key },
        contents,
      };
      await requireFreeKey("template", body.key, changeTemplate(tx, change));
    }
    if (created !== undefined) noteCreated();
    await audit({ id, action: created === undefined ? "template.update" : "template.create" });
    return requireFound(await findTemplate(tx, named), "Template");
  },
});
