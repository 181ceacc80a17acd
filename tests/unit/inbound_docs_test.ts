import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mappingSchema } from "../../supabase/functions/_shared/inbound/mapping.ts";

const guide = readFileSync(new URL("../../docs/inbound.md", import.meta.url), "utf8");

Deno.test("every mapping of docs/inbound.md is one", () => {
  const blocks = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? "");
  assert.ok(blocks.length >= 5);
  for (const text of blocks) {
    const parsed = mappingSchema.safeParse(JSON.parse(text));
    assert.equal(parsed.success, true, `${text}\n${parsed.error?.message}`);
  }
});
