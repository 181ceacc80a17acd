import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { template, templatePut } from "../../contract/templates.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkContents } from "./check_contents.ts";
import { prepareMjml } from "./prepare_mjml.ts";
import { showTemplate } from "./show_template.ts";
import { changeTemplate, findTemplate, insertTemplate } from "./template_queries.ts";

export const putTemplate = defineRoute({
  operationId: "putTemplate",
  method: "PUT",
  path: "/templates/{id}",
  tag: "Templates",
  summary: "Create or replace a template",
  description:
    "Creates the template if no template has this key. An id replaces an existing template only.",
  scopes: ["templates:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Template",
  body: templatePut,
  status: 200,
  mayCreate: true,
  response: template,
  errors: ["limit_reached"],
  action: ["template.update", "template.create"],
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
      fields: { ...fields, key: params.id },
      contents,
    });
    const named = { workspaceId, name: created ?? params.id };
    const { id } = requireFound(await findTemplate(tx, named), "Template");
    if (created === undefined) {
      await changeTemplate(tx, { workspaceId, templateId: id, fields, contents });
    }
    if (created !== undefined) noteCreated();
    await audit({ id, action: created === undefined ? "template.update" : "template.create" });
    return showTemplate(requireFound(await findTemplate(tx, named), "Template"));
  },
});
