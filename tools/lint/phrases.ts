import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { phraseList } from "./phrase_list.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Files whose English is checked: everything that a person reads. */
const covered = [
  "*.md",
  ".env.example",
  "bench/**/*.{md,ts}",
  "dashboard/*.ts",
  "dashboard/src/**/*.{ts,tsx}",
  "demo/**/*.{md,ts}",
  "docs/**/*.md",
  "local/**/*.{ts,sql}",
  "patches/**/*.md",
  "supabase/config.toml",
  "supabase/functions/**/*.ts",
  "supabase/migrations/**/*.sql",
  "supabase/schema/**/*.sql",
  "testing/**/*.ts",
  "tests/**/*.ts",
  "tools/**/*.{ts,sql}",
];

/** Files that quote the phrases. */
const excluded = [
  "tools/lint/phrase_list.ts",
  "tools/lint/rules/docstring.ts",
  "tests/lint/phrases_unit_test.ts",
];

/** A phrase found in a text; `line` counts from 1. */
export interface PhraseProblem {
  line: number;
  found: string;
  name: string;
  instead: string;
}

/** Checks a Markdown, TypeScript, SQL, TOML or `.env` text, by the ending of its file's name. */
export function lintPhrases(fileName: string, text: string): PhraseProblem[] {
  const prose = fileName.endsWith(".md") ? blankMarkdownCode(text) : blankCommentMarks(text);
  return phraseList
    .flatMap((phrase) => [...prose.matchAll(phrase.pattern)].map((match) => ({ phrase, match })))
    .sort((a, b) => a.match.index - b.match.index)
    .map(({ phrase: { name, instead }, match: { 0: found, index } }) => ({
      line: prose.slice(0, index).split("\n").length,
      found: found.replaceAll(/\s+/g, " "),
      name,
      instead,
    }));
}

/** Blanks code, which is not English, and keeps every line break. */
function blankMarkdownCode(text: string): string {
  return text
    .replaceAll(/^ *```.*?^ *```$/gms, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => "`".padEnd(code.length - 1, "x") + "`")
    .replaceAll(/^ *(?:>|[-*]|\d+\.) /gm, blank)
    .replaceAll(/\*\*/g, "  ");
}

/** Joins comments and strings that continue on the next line: blanks the marks between them. */
function blankCommentMarks(text: string): string {
  return text
    .replaceAll(/^ *(?:\*(?!\/)|\/\/|--|#) ?/gm, blank)
    .replaceAll(/["`'] (?:\+|\|\|)\n *["`']/g, blank);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

function main(): number {
  const files = [...new Set(covered.flatMap((pattern) => globSync(pattern, { cwd: root })))]
    .filter((file) => !excluded.includes(file)).sort();
  const lines = files.flatMap((file) =>
    lintPhrases(file, readFileSync(`${root}${file}`, "utf8")).map((
      { line, found, name, instead },
    ) => `${file}:${line}: "${found}" is not plain English (phrases, ${name}): write ${instead}`)
  );
  if (lines.length > 0) Deno.stderr.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
  return lines.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(main());
