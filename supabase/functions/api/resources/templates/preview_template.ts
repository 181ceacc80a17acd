import { requireScope } from "../../../_shared/access/auth.ts";
import { ApiError, invalidInput } from "../../../_shared/errors/errors.ts";
import { RenderError } from "../../../_shared/templates/liquid.ts";
import {
  renderTemplate,
  type TemplateContents,
} from "../../../_shared/templates/render_template.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { renderedTemplate, templatePreview } from "../../contract/templates.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findCustomer } from "../customers/customer_queries.ts";
import { checkContents } from "./check_contents.ts";
import { prepareMjml } from "./prepare_mjml.ts";
import { findTemplate, findVersion, findWorkspaceName } from "./template_queries.ts";

// In a preview, links lead nowhere.
const sampleUrl = "https://example.com/";

export const previewTemplate = defineRoute({
  operationId: "previewTemplate",
  method: "POST",
  path: "/templates/{id}/preview",
  tag: "Templates",
  summary: "Render a template",
  description:
    "Rendering for a customer needs the scope `customers:read`. With a subject and a body, " +
    "renders those instead of a stored version. Returns 409 if rendering fails: the message " +
    "names the line.",
  scopes: ["templates:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Template",
  body: templatePreview,
  isBodyOptional: true,
  isDry: true,
  status: 200,
  response: renderedTemplate,
  prepare: prepareMjml,
  async handle({ tx, workspaceId, params, body, service, caller }) {
    if (body.customer_id !== undefined && caller.kind === "key") {
      requireScope(caller.key, "customers:read");
    }
    const found = await findTemplate(tx, { workspaceId, name: params.id });
    const { id: templateId, strict, ...current } = requireFound(found, "Template");
    const version = body.version ?? current.version;
    const contents = body.subject === undefined
      ? await findVersion(tx, { workspaceId, templateId, version })
      : await checkContents({ ...body, subject: body.subject }, service.compileMjml);
    if (contents === undefined) {
      throw invalidInput([{ field: "version", message: "must be a version of the template" }]);
    }
    const facts = {
      customer: await readCustomer(tx, { workspaceId, customerId: body.customer_id }),
      trigger: body.data ?? {},
      workspace: { id: workspaceId, name: await findWorkspaceName(tx, workspaceId) },
      unsubscribe_url: `${sampleUrl}unsubscribe`,
      preferences_url: `${sampleUrl}preferences`,
      now: service.now(),
    };
    const { variables, warnings } = contents;
    const missing = variables.filter((path) => isMissing(facts, path));
    return { version, ...render(contents, facts, strict), variables, missing, warnings };
  },
});

function isMissing(facts: object, path: string): boolean {
  let value: unknown = facts;
  for (const name of path.split(".")) {
    const isObject = typeof value === "object" && value !== null;
    value = isObject ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value === undefined || value === null || value === "";
}

type RenderArguments = Parameters<typeof renderTemplate>;

function render(contents: TemplateContents, facts: RenderArguments[1], isStrict: boolean) {
  try {
    return renderTemplate(contents, facts, isStrict);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new ApiError("conflict", `Cannot render template: ${error.message}`, { cause: error });
  }
}

async function readCustomer(
  tx: CallerSql,
  { workspaceId, customerId }: { workspaceId: string; customerId: string | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  if (customerId === undefined) return {};
  return { ...requireFound(await findCustomer(tx, { workspaceId, customerId }), "Customer") };
}
