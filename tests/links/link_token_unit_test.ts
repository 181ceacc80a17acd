import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import {
  type LinkKind,
  linkKinds,
  type LinkTarget,
  makeLinkToken,
  readLinkToken,
  verifyLink,
} from "../../supabase/functions/_shared/links/link_token.ts";

const key = randomBytes(32);
const target: LinkTarget = {
  kind: "click",
  workspaceId: "0199a000-0000-7000-8000-00000000000a",
  sendId: "0199a000-0000-7000-8000-00000000000b",
  index: 3,
};

function isValid(token: string, withKey = key): boolean {
  const claimed = readLinkToken(token);
  return claimed !== undefined && verifyLink(claimed, withKey);
}

Deno.test("a token verifies with its key and names its link", () => {
  fc.assert(fc.property(
    fc.record({
      kind: fc.constantFrom(...Object.keys(linkKinds) as LinkKind[]),
      workspaceId: fc.uuid(),
      sendId: fc.uuid(),
      index: fc.integer({ min: 0, max: 0xffff }),
    }),
    (record) => {
      const made = { ...record };
      const token = makeLinkToken(key, made);
      const { signed: _, mac: __, ...read } = readLinkToken(token)!;
      assert.deepEqual(read, made);
      assert.ok(isValid(token));
      assert.match(token, /^[\w-]{70}$/);
    },
  ));
});

Deno.test("a token with any bit changed does not verify", () => {
  const bytes = Buffer.from(makeLinkToken(key, target), "base64url");
  for (let bit = 0; bit < bytes.byteLength * 8; bit++) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(isValid(forged.toString("base64url")), false, `bit ${bit}`);
  }
});

Deno.test("a token with the key of another workspace does not verify", () => {
  assert.equal(isValid(makeLinkToken(randomBytes(32), target)), false);
  assert.equal(isValid(makeLinkToken(key, target), randomBytes(32)), false);
});

Deno.test("a token that is truncated, extended or spelled in another way is malformed", () => {
  const token = makeLinkToken(key, target);
  const last = token.charCodeAt(69);
  const respelled = token.slice(0, 69) + String.fromCharCode(last + (last === 122 ? -1 : 1));
  const others = [
    "",
    token.slice(0, -1),
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    respelled,
    token.replace(/^./, "."),
  ];
  for (const other of others) {
    assert.equal(readLinkToken(other), undefined, JSON.stringify(other));
  }
});

Deno.test("makeLinkToken() refuses an index beyond 16 bits, and an id that is not a UUID", () => {
  for (const index of [-1, 0.5, 0x10000, Number.NaN]) {
    assert.throws(() => makeLinkToken(key, { ...target, index }), RangeError);
  }
  assert.throws(() => makeLinkToken(key, { ...target, sendId: "x" }), RangeError);
});
