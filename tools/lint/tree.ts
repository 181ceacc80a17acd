import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Texts of the project's source files, by path from the project's root. */
export type Tree = ReadonlyMap<string, string>;

/** A broken rule: where, what is wrong and how to fix it. Lines count from 1. */
export interface Problem {
  /** Name of the rule in CONTRIBUTING.md. */
  rule: string;
  path: string;
  line?: number;
  text: string;
  hint: string;
}

const skipped = new Set(["node_modules", "dist", "bundles", "snapshots", "migrations"]);

/**
 * Reads every TypeScript and SQL file under a folder, without packages, generated files and
 * migrations, which are frozen and repeat supabase/schema/.
 */
export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  function read(folder: string) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && !skipped.has(entry.name)) read(path);
      } else if (/\.(tsx?|sql)$/.test(entry.name)) {
        tree.set(path, readFileSync(join(root, path), "utf8"));
      }
    }
  }
  read("");
  return tree;
}

/** Describes a problem in one line: `a.ts:3: Imports "b.ts" (upward_imports): move it`. */
export function describeProblem({ rule, path, line, text, hint }: Problem): string {
  const place = line === undefined ? path : `${path}:${line}`;
  return `${place}: ${text} (${rule}): ${hint}`;
}
