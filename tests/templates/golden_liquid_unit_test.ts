import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  parseLiquid,
  RenderError,
  renderLiquid,
} from "../../supabase/functions/_shared/templates/liquid.ts";

// golden-liquid by James Prior (MIT): see golden_liquid/README.md.
interface GoldenCase {
  name: string;
  template: string;
  data?: Record<string, unknown>;
  result?: string;
  /** Several results that are all right. */
  results?: string[];
  /** True if the template must be refused. */
  invalid?: boolean;
}

const readText = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { tests } = JSON.parse(readText("golden_liquid/golden_liquid.json")) as {
  tests: GoldenCase[];
};
/** Names of the cases with another result, by the reason. */
const differences: Record<string, string[]> = JSON.parse(
  readText("golden_liquid/differences.json"),
);

const options = { isHtml: false, isStrict: false };
/** Renderings of a case that takes too long because the machine is busy. */
const maxTries = 20;

/** Renders a case; undefined if it is refused. */
function render({ template, data = {} }: GoldenCase): string | undefined {
  for (let n = 0;; n++) {
    try {
      return renderLiquid(parseLiquid(template, options), data, options);
    } catch (error) {
      assert(error instanceof RenderError, `${error}`);
      if (error.reason !== "too_slow" || n === maxTries) return undefined;
    }
  }
}

function isAsExpected(golden: GoldenCase): boolean {
  const text = render(golden);
  if (golden.invalid) return text === undefined;
  return text !== undefined && (golden.results ?? [golden.result]).includes(text);
}

Deno.test("templates render golden-liquid's cases as Shopify's Liquid, but for the listed ones", () => {
  const different = tests.filter((golden) => !isAsExpected(golden)).map(({ name }) => name);
  assert.deepEqual(different.toSorted(), Object.values(differences).flat().toSorted());
});

Deno.test("docs/api.md counts the cases of golden-liquid that differ, by their reason", () => {
  const docs = readText("../../docs/api.md");
  const rows = docs.split("\n").flatMap((line) => {
    const [, reason, count] = /^\| `([a-z_]+)` \| (\d+) \| /.exec(line) ?? [];
    return reason !== undefined && reason in differences ? [[reason, Number(count)]] : [];
  });
  const counts = Object.entries(differences).map(([reason, names]) => [reason, names.length]);
  assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(counts));
  const different = Object.values(differences).flat().length;
  const sentence = `${tests.length - different} of its ${tests.length.toLocaleString("en")} cases`;
  assert(docs.includes(sentence), sentence);
});
