import type { z } from "zod";
import type { MjmlCompiler } from "../../../_shared/templates/compiled_mjml.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { template, templateEdit } from "../../contract/templates.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkContents, type WrittenContents } from "./check_contents.ts";
import { prepareMjml } from "./prepare_mjml.ts";
import { changeTemplate, findTemplate, type Template } from "./template_queries.ts";
import { getTemplate } from "./get_template.ts";

export const updateTemplate = defineRoute({
  operationId: "updateTemplate",
  method: "PATCH",
  path: "/templates/{id}",
  tag: "Templates",
  summary: "Change a template",
  description: "A changed subject or body creates a new version. Waiting sends use it.",
  scopes: ["templates:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Template",
  body: templateEdit,
  status: 200,
  response: template,
  errors: ["conflict"],
  action: "template.update",
  shownBy: getTemplate,
  prepare: prepareMjml,
  async handle({ tx, workspaceId, params, body, audit, service }) {
    const found = await findTemplate(tx, { workspaceId, name: params.id });
    const current = requireFound(found, "Template");
    const isNew = ["subject", "html", "mjml", "text"].some((field) => field in body);
    const contents = isNew
      ? await checkContents(
        mergeContents(current, body),
        body.mjml === undefined ? keepHtml(current) : service.compileMjml,
      )
      : undefined;
    const templateId = current.id;
    const change = changeTemplate(tx, { workspaceId, templateId, fields: body, contents });
    await requireFreeKey("template", body.key, change);
    await audit(templateId, { fields: Object.keys(body) });
    const name = templateId;
    return requireFound(await findTemplate(tx, { workspaceId, name }), "Template");
  },
});

/** Unchanged MJML is not compiled again. */
function keepHtml({ html }: Template): MjmlCompiler {
  return () => Promise.resolve({ html, errors: [] });
}

/**
 * A new body in one form (HTML or MJML) replaces the other form; a generated text part is made
 * again.
 */
function mergeContents(current: Template, body: z.output<typeof templateEdit>): WrittenContents {
  const kept = { html: current.mjml === null ? current.html : null, mjml: current.mjml };
  return {
    subject: body.subject ?? current.subject,
    html: body.html === undefined ? body.mjml ? null : kept.html : body.html,
    mjml: body.mjml === undefined ? body.html ? null : kept.mjml : body.mjml,
    text: body.text === undefined && !current.is_text_generated ? current.text : body.text,
  };
}
