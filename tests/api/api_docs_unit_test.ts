import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { routes } from "../../supabase/functions/api/routes.ts";

const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

/** The rows of all tables that describe a call: `| call | scope · least role | … |`. */
function readCalls(): string[] {
  const rows = guide.split("\n").filter((line) => /^\| `\w+ \/api\//.test(line));
  return rows.map((row) => {
    const [, call = "", who = ""] = row.split(/(?<!\\)\|/);
    const [, method, path] = /`(\w+) \/api(\/[^`]*)`/.exec(call) ?? [];
    const scopes = [...who.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope);
    return describe({ method, path, scopes, role: who.split(" · ")[1]?.trim() });
  });
}

function describe(
  { method, path, scopes, role }: Record<"method" | "path" | "role", string | undefined> & {
    scopes: readonly unknown[];
  },
): string {
  return `${method} ${path}: ${[...scopes].sort().join(", ") || "session"} · ${role}`;
}

Deno.test("docs/api.md lists every route of the api with its scopes and role, and no other", () => {
  const expected = routes.map((route) => describe({ ...route, role: route.leastRole }));
  assert.deepEqual(readCalls().sort(), expected.sort());
});
