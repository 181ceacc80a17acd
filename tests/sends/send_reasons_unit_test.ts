import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sendErrors } from "../../supabase/functions/_shared/outbound/send_errors.ts";
import { describeReason, sendReasons } from "../../supabase/functions/api/contract/send_reasons.ts";
import { keyTaken } from "../../supabase/functions/send-dispatch/providers/provider.ts";

const root = fileURLToPath(new URL("../../supabase", import.meta.url));

/** Files that write reasons, and the texts that these are in. */
const sources: readonly { path: string; patterns: RegExp[] }[] = [
  {
    path: "functions/send-dispatch",
    patterns: [
      /reason: "([a-z_]+)"/g,
      /reason: \w+ \? "([a-z_]+)"/g,
      /reason: \w+ \? "[a-z_]+" : "([a-z_]+)"/g,
      /reason \?\? "([a-z_]+)"/g,
      /claimed\.skip_reason \?\? "([a-z_]+)"/g,
      /^ {2}E[A-Z]+: "([a-z_]+)"/gm,
    ],
  },
  { path: "functions/_shared/templates", patterns: [/reason: "([a-z_]+)"/g] },
  {
    path: "schema/sends",
    patterns: [
      /\('(?:skip|wait|release)', '([a-z_]+)'/g,
      /^ +'unknown', '([a-z_]+)',$/gm,
      /when (?:f|o|t)\.id is null.* then '([a-z_]+)'/g,
      /'held' then '(paused)'/g,
      /'cancelled' then '(cancelled)' else k\.reason/g,
      /c\.reason else '([a-z_]+)'/g,
      /'reason', '([a-z_]+)', *$/gm,
      /when q\.started_at is not null then '([a-z_]+)'/g,
    ],
  },
  {
    path: "schema/campaigns",
    patterns: [
      /current_id is null then '([a-z_]+)'/g,
      /\) then '(merged)'/g,
      /return '(merged|same_address)'/g,
      /reason = '(cancelled)'/g,
    ],
  },
];

function findReasons(): Set<string> {
  const found = new Set<string>([...sendErrors, "internal", "cancelled", keyTaken]);
  for (const { path, patterns } of sources) {
    const directory = join(root, path);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|sql)$/.test(file));
    for (const file of files) {
      const text = readFileSync(join(directory, file), "utf8");
      for (const pattern of patterns) {
        for (const match of text.matchAll(pattern)) found.add(match[1]!);
      }
    }
  }
  return found;
}

Deno.test("every reason that is stored with a message has a text, and no other has one", () => {
  assert.deepEqual(Object.keys(sendReasons).sort(), [...findReasons()].sort());
});

Deno.test("describeReason() tells a cancelled campaign from a restart of the service", () => {
  assert.equal(describeReason("cancelled"), "the campaign was cancelled");
  assert.match(describeReason("cancelled", "retry"), /restarted/);
  assert.equal(describeReason("new_reason"), "new_reason");
  assert.equal(describeReason("constructor"), "constructor");
});
