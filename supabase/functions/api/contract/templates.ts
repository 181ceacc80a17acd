import { z } from "zod";
import { maxSourceLength } from "../../_shared/templates/compiled_mjml.ts";
import { boolean, expected, id, integer, text, timestamp, uuid } from "./fields.ts";
import { resourceKey } from "./resource_names.ts";
import { usedBy } from "./uses.ts";

const contents = {
  subject: z.string().meta({ example: "Hello {{ customer.first_name }}" }),
  html: z.string().nullable().meta({ description: "Compiled from `mjml` if that is set." }),
  mjml: z.string().nullable(),
  text: z.string().nullable().meta({ description: "Made from the HTML unless given." }),
  is_text_generated: z.boolean().meta({ description: "True if `text` was made from the HTML." }),
};

const facts = {
  variables: z.array(z.string()).meta({ example: ["customer.first_name", "unsubscribe_url"] }),
  warnings: z.array(z.string()),
};

export const template = z.object({
  id,
  key: z.string().nullable(),
  name: z.string().meta({ example: "Welcome" }),
  version: z.int().meta({ description: "The version that is sent, counted from 1." }),
  ...contents,
  strict: z.boolean().meta({ description: "If true, a missing variable stops the send." }),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  ...facts,
  created_at: timestamp,
  updated_at: timestamp,
  used_by: usedBy,
}).meta({ id: "Template" });

export const templateSummary = template
  .omit({ html: true, mjml: true, text: true, is_text_generated: true })
  .meta({ id: "TemplateSummary" });

export const templateVersion = z.object({
  version: z.int(),
  ...contents,
  ...facts,
  created_at: timestamp,
}).meta({ id: "TemplateVersion" });

function source(maxLength: number) {
  return z.string("must be a string").max(maxLength, `must be at most ${maxLength} characters long`)
    .refine((value) => !value.includes("\0") && value.isWellFormed(), {
      message: "must not contain U+0000 or a lone surrogate",
    });
}

const body = source(maxSourceLength).nullable().optional();

const fields = {
  name: text(200).meta({ example: "Welcome" }),
  subject: text(1000).meta({ description: "Liquid, on one line when rendered." }),
  html: body.meta({ description: "Liquid in HTML. Give `html` or `mjml`, or `text` alone." }),
  mjml: body.meta({ description: "Liquid in MJML, compiled when it is saved." }),
  text: body.meta({ description: "Liquid. Made from the HTML if omitted or null." }),
  strict: boolean.optional(),
  track_opens: boolean.optional(),
  track_clicks: boolean.optional(),
};

const oneBody = ({ html, mjml }: { html?: unknown; mjml?: unknown }) => !html || !mjml;
const oneBodyRule = { message: "must have html or mjml, not both" };

export const newTemplate = z.strictObject({ key: resourceKey.nullable().optional(), ...fields })
  .refine(oneBody, oneBodyRule)
  .meta({ example: { key: "welcome", name: "Welcome", subject: "Hello", html: "<p>Hello</p>" } });

export const templateEdit = z.strictObject({
  ...fields,
  key: resourceKey.nullable().optional(),
  name: fields.name.optional(),
  subject: fields.subject.optional(),
  expected,
}).refine(oneBody, oneBodyRule).meta({
  description: "Omitted fields keep their value. A changed subject or body creates a new version.",
  example: { subject: "Welcome!" },
});

export const templatePreview = z.strictObject({
  customer_id: uuid.optional().meta({ description: "If omitted, `customer` is empty." }),
  version: integer(1, 1_000_000).optional().meta({
    description: "The current version if omitted.",
  }),
  data: z.record(z.string(), z.unknown(), "must be an object").optional().meta({
    description: "The variable `trigger`.",
  }),
  subject: fields.subject.optional().meta({
    description:
      "Rendered together with the given body, instead of a stored version. Neither is stored.",
  }),
  html: fields.html,
  mjml: fields.mjml,
  text: fields.text,
}).refine(oneBody, oneBodyRule).meta({ example: { data: { order: 7 } } });

export const renderedTemplate = z.object({
  version: z.int(),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
  variables: facts.variables,
  missing: z.array(z.string()).meta({
    description: "Variables that are empty for this customer.",
    example: ["customer.first_name"],
  }),
  warnings: facts.warnings,
}).meta({ id: "RenderedTemplate" });
