import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  createSecretBox,
  type SecretOwner,
} from "../../supabase/functions/_shared/secrets/secrets.ts";

const owner: SecretOwner = {
  kind: "destination",
  workspaceId: "0199a3c4-1d2e-7f00-8000-00000000000a",
  id: "0199a3c4-1d2e-7f00-8000-000000000001",
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function createKey(): string {
  return randomBytes(32).toString("base64");
}

Deno.test("createSecretBox() decrypts what it encrypted, never twice to the same text", async () => {
  const box = await createSecretBox(createKey());
  const encrypted = await box.encrypt(owner, secret);
  assert.match(encrypted, /^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  assert(!encrypted.includes("MfKQ9r8G"));
  assert.equal(await box.decrypt(owner, encrypted), secret);
  assert.notEqual(await box.encrypt(owner, secret), encrypted);
});

Deno.test("createSecretBox() binds a secret to its kind, workspace and owner", async () => {
  const box = await createSecretBox(createKey());
  const encrypted = await box.encrypt(owner, secret);
  const others: SecretOwner[] = [
    { ...owner, id: owner.workspaceId },
    { ...owner, workspaceId: owner.id },
    { ...owner, kind: "source" },
  ];
  for (const other of others) {
    for (const attempt of [box.decrypt, box.reencrypt]) {
      await assert.rejects(attempt(other, encrypted), {
        name: "SecretError",
        message: /damaged or belongs to another owner$/,
      });
    }
  }
});

Deno.test("createSecretBox() binds a secret to the key it names", async () => {
  const [first, second] = [createKey(), createKey()];
  const box = await createSecretBox(`${first},${second}`);
  const encrypted = await box.encrypt(owner, secret);
  const [firstId, secondId] = box.keyIds;
  const renamed = encrypted.replace(firstId, secondId!);
  await assert.rejects(box.decrypt(owner, renamed), { message: /damaged or belongs/ });
});

Deno.test("createSecretBox() still decrypts with the old key after a change", async () => {
  const [oldKey, newKey] = [createKey(), createKey()];
  const before = await createSecretBox(oldKey);
  const encrypted = await before.encrypt(owner, secret);

  const during = await createSecretBox(`${newKey}, ${oldKey}`);
  assert.equal(await during.decrypt(owner, encrypted), secret);
  const renewed = await during.reencrypt(owner, encrypted);

  const after = await createSecretBox(newKey);
  assert.deepEqual(after.keyIds, [during.keyIds[0]]);
  assert.equal(await after.decrypt(owner, renewed), secret);
  await assert.rejects(after.decrypt(owner, encrypted), { message: /has no key "[0-9a-f]{8}"$/ });
});

Deno.test("createSecretBox() refuses every damaged text and repeats none of it", async () => {
  const box = await createSecretBox(createKey());
  const encrypted = await box.encrypt(owner, secret);
  const [version, keyId, payload = ""] = encrypted.split(".");
  const flipped = (payload.startsWith("A") ? "B" : "A") + payload.slice(1);
  const damaged = ["", "v1", `v2.${keyId}.${payload}`, `${encrypted}.x`]
    .concat([`${version}.${keyId}.`, `${version}.${keyId}.${flipped}`, encrypted.slice(0, -4)]);
  for (const text of damaged) {
    await assert.rejects(box.decrypt(owner, text), (error: Error) => {
      assert.equal(error.name, "SecretError");
      assert(!error.message.includes(payload.slice(0, 12)));
      return true;
    });
  }
});

Deno.test("createSecretBox() names the position of an invalid key and not the key", async () => {
  await assert.rejects(createSecretBox(`${createKey()},c2hvcnQ=`), {
    message:
      "Cannot read key 2 of SECRETS_ENCRYPTION_KEY: expected 32 bytes in base64, got 5 bytes",
  });
  const key = createKey();
  await assert.rejects(createSecretBox(`${createKey()},${key}, ${key}`), {
    message: "Cannot read key 3 of SECRETS_ENCRYPTION_KEY: it is listed twice",
  });
  await assert.rejects(createSecretBox(""), { message: /^Cannot read key 1 .* got 0 bytes$/ });
});
