import { CompletionContext, type CompletionSource } from "@codemirror/autocomplete";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Liquid } from "liquidjs";
import assert from "node:assert/strict";
import { blocks } from "../../dashboard/src/pages/templates/editor/blocks.ts";
import {
  type BodyFormat,
  bodyLanguage,
} from "../../dashboard/src/pages/templates/editor/body_language.ts";
import { knownPaths } from "../../dashboard/src/pages/templates/editor/liquid_words.ts";
import { customer } from "../../supabase/functions/api/contract/customers.ts";
import { parseLiquid } from "../../supabase/functions/_shared/templates/liquid.ts";
import { boundFilters } from "../../supabase/functions/_shared/templates/bounded_filters.ts";

const maxParseMs = 30_000;

Deno.test("the editor offers exactly the filters and tags of the service", async () => {
  const engine = new Liquid();
  boundFilters(engine);
  assert.deepEqual(await complete("{{ a | |"), Object.keys(engine.filters).sort());
  const tags = (await complete("{% |")).filter((name) => !/^(?:end|else|elsif|when)/.test(name));
  const refused = ["#", "block", "include", "layout", "render"];
  assert.deepEqual(
    tags,
    Object.keys(engine.tags).filter((name) => !refused.includes(name)).sort(),
  );
});

Deno.test("variables are completed from the contract, and from attributes that were seen", async () => {
  const fields = Object.keys(customer.shape);
  const offered = knownPaths.map(({ path }) => path.split("."));
  for (const [root, field] of offered) {
    if (root === "customer") assert.ok(fields.includes(field ?? ""), `${field}`);
  }
  assert.deepEqual(
    (await complete("{{ customer.attributes.|")).sort(),
    ["address", "plan"],
  );
  assert.deepEqual(await complete("{{ customer.attributes.address.|"), ["city"]);
  assert.ok((await complete("{{ tri|")).includes("trigger"));
});

Deno.test("MJML completes its own elements and attributes, and HTML does not", async () => {
  assert.ok((await complete("<mjml><mj-bo|", "mjml")).includes("mj-body"));
  assert.ok((await complete("<mjml><mj-body><mj-section |", "mjml")).includes("full-width"));
  assert.equal((await complete("<mj|", "html")).includes("mjml"), false);
  assert.deepEqual(await complete("<ta|", "text"), []);
});

Deno.test("every block is Liquid that the service reads", () => {
  for (const { label, code } of blocks) {
    for (const source of Object.values(code)) {
      const filled = source.replaceAll(/#\{([^}]*)\}/g, "$1");
      assert.doesNotThrow(() => parseLiquid(filled, { isHtml: false, isStrict: false }), label);
    }
  }
});

const seen = ["customer.attributes.plan", "customer.attributes.address.city"];

/** Returns what is offered at the mark "|", the last one of a text, in alphabetical order. */
async function complete(text: string, format: BodyFormat = "html"): Promise<string[]> {
  const pos = text.length - 1;
  const doc = text.slice(0, pos);
  const made = EditorState.create({ doc, extensions: bodyLanguage(format, () => seen) });
  // A state reads its text for 20 ms only; the rest follows in the background.
  ensureSyntaxTree(made, pos, maxParseMs);
  const { state } = made.update({});
  const context = new CompletionContext(state, pos, true);
  const sources = state.languageDataAt<CompletionSource>("autocomplete", pos);
  const results = await Promise.all(sources.map((source) => source(context)));
  return results.flatMap((result) => result?.options ?? []).map(({ label }) => label).sort();
}
