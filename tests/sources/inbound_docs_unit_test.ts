import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hmacSchema } from "../../supabase/functions/_shared/sources/hmac.ts";
import { hmacSenders } from "../../supabase/functions/api/contract/hmac_senders.ts";
import { mappingSchema } from "../../supabase/functions/_shared/sources/mapping.ts";
import { schemes } from "../../supabase/functions/_shared/sources/sources.ts";

const guide = readFileSync(new URL("../../docs/inbound.md", import.meta.url), "utf8");

Deno.test("every mapping in docs/inbound.md is valid", () => {
  const blocks = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? "");
  assert.ok(blocks.length >= 5);
  for (const text of blocks) {
    const parsed = mappingSchema.safeParse(JSON.parse(text));
    assert.equal(parsed.success, true, `${text}\n${parsed.error?.message}`);
  }
});

Deno.test("docs/inbound.md lists the settings of every sender that signs with HMAC", () => {
  for (const { label, settings, secret } of Object.values(hmacSenders)) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${label} |`)) ?? "";
    const [, , told = "", where] = row.split("|").map((cell) => cell.trim());
    assert.deepEqual(JSON.parse(told.replaceAll("`", "") || "null"), settings, label);
    assert.equal(where, secret, label);
  }
});

Deno.test("docs/inbound.md describes every scheme and every setting of hmac", () => {
  for (const name of [...schemes, ...Object.keys(hmacSchema.shape)]) {
    assert.match(guide, new RegExp(`^\\| \`${name}\` \\|`, "m"), name);
  }
});
