import { ApiError } from "../../../_shared/errors/errors.ts";
import { newTemplate, template } from "../../contract/templates.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkContents } from "./check_contents.ts";
import { prepareMjml } from "./prepare_mjml.ts";
import { findTemplate, insertTemplate } from "./template_queries.ts";

export const createTemplate = defineRoute({
  operationId: "createTemplate",
  method: "POST",
  path: "/templates",
  tag: "Templates",
  summary: "Create a template",
  description: "Compiles MJML, makes the text part and checks the Liquid of each part.",
  scopes: ["templates:write"],
  leastRole: "member",
  body: newTemplate,
  status: 201,
  response: template,
  errors: ["conflict", "limit_reached"],
  action: "template.create",
  prepare: prepareMjml,
  async handle({ tx, workspaceId, body, audit, service }) {
    const contents = await checkContents(body, service.compileMjml);
    const id = await insertTemplate(tx, { workspaceId, fields: body, contents });
    if (id === undefined) {
      throw new ApiError("conflict", `Cannot create template: the key "${body.key}" is in use`);
    }
    await audit(id, { name: body.name });
    const name = id;
    return requireFound(await findTemplate(tx, { workspaceId, name }), "Template");
  },
});
