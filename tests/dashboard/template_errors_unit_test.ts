import assert from "node:assert/strict";
import { templateErrors } from "../../dashboard/src/pages/campaigns/template_errors.ts";

Deno.test("templateErrors() marks the template that is missing", () => {
  const variants = [{ template: "" }];
  const one = { has_variants: false, variants };
  assert.deepEqual(templateErrors({ ...one, template: "" }), {
    template: "Choose a template, or compare several",
  });
  assert.deepEqual(templateErrors({ ...one, template: "sale" }), {});
});

Deno.test("templateErrors() marks each empty template of a comparison, and no other field", () => {
  const variants = [{ template: "" }, { template: "sale" }, { template: "" }];
  assert.deepEqual(templateErrors({ has_variants: true, template: "", variants }), {
    "variants.0.template": "Choose a template",
    "variants.2.template": "Choose a template",
  });
});
