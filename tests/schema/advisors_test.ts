import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { makeProject, runSupabase } from "../../testing/service/supabase_cli.ts";

interface Finding {
  name: string;
  level: string;
  detail: string;
  metadata: { schema: string; name: string };
}

/** Hints that do not hold here, and why. */
function isExpected({ name, level, metadata }: Finding): boolean {
  if (level !== "INFO") return false;
  // Nothing has ever been asked of a fresh database.
  if (name === "unused_index") return true;
  // Private tables have row-level security without a policy so that no caller reads them.
  return name === "rls_enabled_no_policy" && metadata.schema === "private";
}

Deno.test("the advisors of the Supabase CLI have no advice on a fresh database", async () => {
  await using db = await createTestDatabase();
  await using project = await makeProject();
  const args = ["db", "advisors", `--remote=${db.url}`, "--level", "info", "--fail-on", "warn"];
  const { code, text } = await runSupabase(project.path, args, { PGSSLMODE: "disable" });
  assert.equal(code, 0, text);
  const findings: Finding[] = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
  assert(findings.length > 0, text);
  const surprises = findings.filter((finding) => !isExpected(finding));
  assert.deepEqual(surprises.map(({ detail }) => detail), []);
});
