import assert from "node:assert/strict";
import type { ApiKey } from "../../supabase/functions/_shared/access/auth.ts";
import { createCellKeyring } from "../../supabase/functions/_shared/access/cell_keyring.ts";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";

/** Cells whose keyrings know one key each, or say where its workspace has gone. */
function createCells(known: Record<string, Partial<ApiKey>>) {
  const asked: string[] = [];
  const forgotten: string[] = [];
  const cells = new Map(
    Object.entries(known).map(([id, key]) => [id, {
      id,
      checkRole: () => undefined,
      keyring: {
        authenticate(_: string) {
          asked.push(id);
          return Promise.resolve(key as ApiKey);
        },
        forget: () => void forgotten.push(id),
      },
    }]),
  );
  return { cells, asked, forgotten, keyring: createCellKeyring(cells) };
}

Deno.test("createCellKeyring() asks only the cell that the key names", async () => {
  const { asked, keyring } = createCells({ "00": { id: "a" }, "01": { id: "b" } });
  const { key } = await generateApiKey("01");
  const found = await keyring.authenticate(key);
  assert.deepEqual([found.key.id, found.cell.id, asked], ["b", "01", ["01"]]);
});

Deno.test("createCellKeyring() rejects a key of an unknown cell without asking", async () => {
  const { asked, keyring } = createCells({ "00": { id: "a" } });
  const { key } = await generateApiKey("07");
  await assert.rejects(keyring.authenticate(key), { code: "unauthorized" });
  assert.deepEqual(asked, []);
});

Deno.test("createCellKeyring() follows a workspace through several moves", async () => {
  const { asked, keyring } = createCells({
    "00": { movedTo: "01" },
    "01": { movedTo: "02" },
    "02": { id: "c" },
  });
  const { key } = await generateApiKey("00");
  assert.equal((await keyring.authenticate(key)).cell.id, "02");
  assert.deepEqual(asked, ["00", "01", "02"]);
});

Deno.test("createCellKeyring() answers 503 and forgets while two cells name each other", async () => {
  const { forgotten, keyring } = createCells({ "00": { movedTo: "01" }, "01": { movedTo: "00" } });
  const { key } = await generateApiKey("00");
  await assert.rejects(keyring.authenticate(key), {
    code: "unavailable",
    headers: { "Retry-After": "1" },
  });
  assert.deepEqual(forgotten, ["00", "01"]);
});

Deno.test("createCellKeyring() forgets a key whose workspace is being moved, and no other", () => {
  const { forgotten, keyring } = createCells({ "00": { id: "a" } });
  keyring.noteError("key", Object.assign(new Error(), { code: "23505" }));
  assert.deepEqual(forgotten, []);
  keyring.noteError("key", Object.assign(new Error(), { code: "SP503" }));
  assert.deepEqual(forgotten, ["00"]);
});
