import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Configuration {
  imports: Record<string, string>;
}

const rootFolder = fileURLToPath(new URL("../..", import.meta.url));
const functionsFolder = join(rootFolder, "supabase", "functions");
const root = readConfiguration(join(rootFolder, "deno.json"));
const functions = readConfiguration(join(functionsFolder, "deno.json"));

function readConfiguration(path: string): Configuration {
  return JSON.parse(readFileSync(path, "utf8"));
}

// Names a package in a declaration, or where it is loaded at its first use.
const imported = /\b(?:from |import\()"((?!\.|node:)[^"]+)"/g;

/** The packages that the functions' sources import by name. */
function findImportedNames(): string[] {
  const names = new Set<string>();
  for (const path of readdirSync(functionsFolder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const text = readFileSync(join(functionsFolder, path), "utf8");
    for (const [, name = ""] of text.matchAll(imported)) names.add(name);
  }
  return [...names].sort();
}

/** `npm:zod@4.6.7/mini` is `zod@4.6.7`. */
function findVersion(target: string): string {
  return /^npm:((?:@[^/]+\/)?[^/]+)/.exec(target)?.[1] ?? target;
}

Deno.test("the functions' deno.json lists exactly their imports", () => {
  assert.deepEqual(Object.keys(functions.imports).sort(), findImportedNames());
});

Deno.test("every import is pinned to one version", () => {
  for (const target of [...Object.values(root.imports), ...Object.values(functions.imports)]) {
    assert.match(findVersion(target), /^.+@\d+\.\d+\.\d+[\w.-]*$/, target);
  }
});

Deno.test("the functions and the rest of the project use the same versions", () => {
  const versions = new Map<string, string>();
  for (const target of [...Object.values(root.imports), ...Object.values(functions.imports)]) {
    const version = findVersion(target);
    const name = version.slice(0, version.lastIndexOf("@"));
    assert.equal(versions.get(name) ?? version, version);
    versions.set(name, version);
  }
});
