import assert from "node:assert/strict";
import { hmacSchema } from "../../supabase/functions/_shared/sources/hmac.ts";
import { checkSecret } from "../../supabase/functions/_shared/sources/secrets.ts";

function faults(settings: Record<string, unknown>): string[] {
  const { error } = hmacSchema.safeParse(settings);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`);
}

const timed = { header: "x-sig", timestamp_header: "x-time", signed: "{timestamp}.{body}" };

Deno.test("hmacSchema accepts just a header, lower-cases it, and fills in the defaults", () => {
  assert.deepEqual(hmacSchema.parse({ header: " X-Signature " }), {
    header: "x-signature",
    algorithm: "sha256",
    encoding: "hex",
    prefix: "",
    signed: "{body}",
    timestamp_unit: "seconds",
    tolerance_seconds: 300,
    secret_encoding: "text",
  });
});

Deno.test("hmacSchema refuses settings that could not verify, and names the field", () => {
  const header = "x-sig";
  const cases: [Record<string, unknown>, RegExp][] = [
    [{}, /^header must be the name of a header/],
    [{ header: "x sig" }, /^header must be the name/],
    [{ header: "x-sig\r\nx-other: 1" }, /^header must be the name/],
    [{ header: "ſig" }, /^header must be the name/],
    [{ header: "X-GitHub-Event" }, /^header must be the header of the signature, not one that/],
    [{ header: "user-agent" }, /^header must be the header of the signature/],
    [{ header, algorithm: "md5" }, /^algorithm must be one of "sha256", "sha1", "sha512"$/],
    [{ header, encoding: "base32" }, /^encoding must be one of/],
    [{ header, prefix: "v1=\n" }, /^prefix must be printable ASCII/],
    [{ header, prefix: "x".repeat(33) }, /^prefix must be at most 32/],
    [{ header, separator: "|" }, /^separator must be one of/],
    [{ header, separator: ",", prefix: "a,b" }, /^separator must not be a part of a prefix/],
    [{ header, signed: "body" }, /^signed must contain \{body\} once/],
    [{ header, signed: "{body}{body}" }, /^signed must contain \{body\} once/],
    [{ header, signed: "{body}{secret}" }, /^signed must contain \{body\} once/],
    [{ header, signed: "{body}\n" }, /^signed must contain/],
    [{ header, signed: "{timestamp}{body}" }, /^signed must not contain \{timestamp\} without/],
    [
      { header, timestamp_header: "x-time" },
      /^signed must contain \{timestamp\}: a time that is not/,
    ],
    [{ ...timed, timestamp_prefix: "t=", separator: "," }, /^timestamp_prefix must be left out/],
    [{ header, signed: "{timestamp}{body}", timestamp_prefix: "t=" }, /^separator is required/],
    [{ ...timed, timestamp_unit: "minutes" }, /^timestamp_unit must be one of/],
    [{ ...timed, tolerance_seconds: 0 }, /^tolerance_seconds must be at least 1/],
    [{ ...timed, tolerance_seconds: 3601 }, /^tolerance_seconds must be at most 3600/],
    [{ header, secret_encoding: "utf16" }, /^secret_encoding must be one of/],
    [{ header, url: "ftp://a" }, /^url must be an address/],
  ];
  for (const [settings, expected] of cases) {
    assert.match(faults(settings)[0] ?? "", expected, JSON.stringify(settings));
  }
});

Deno.test("checkSecret() requires the encoding of an hmac secret", () => {
  const check = (secret_encoding: string, secret: string) =>
    checkSecret(
      { scheme: "hmac", hmac: hmacSchema.parse({ header: "x", secret_encoding }) },
      secret,
    );
  assert.equal(check("text", "a text of any kind"), undefined);
  assert.equal(check("hex", "00112233445566778899"), undefined);
  assert.equal(check("base64", btoa("0123456789")), undefined);
  assert.match(check("hex", "0011223344556677889") ?? "", /at least 8 bytes in hex/);
  assert.match(check("hex", "00112233") ?? "", /at least 8 bytes in hex/);
  assert.match(check("base64", "not base64!") ?? "", /at least 8 bytes in base64/);
});
