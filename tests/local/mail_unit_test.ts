import assert from "node:assert/strict";
import { createMailPrinter } from "../../local/platform/mail.ts";

Deno.test("createMailPrinter() prints an e-mail on one line, with its code and without its link", async () => {
  const lines: string[] = [];
  const text = "Reset your password with this code: 123456\n\nOr follow this link: http://x/verify";
  await createMailPrinter((line) => lines.push(line)).send({ to: "a@b.c", subject: "Reset", text });
  assert.deepEqual(lines, ["Mail to a@b.c: Reset your password with this code: 123456"]);
});

Deno.test("createMailPrinter() escapes addresses that would control the terminal or forge a line", async () => {
  const lines: string[] = [];
  const to = "\x1b[2Ja@b.c\nMail to d@e.f: 1";
  await createMailPrinter((line) => lines.push(line)).send({ to, subject: "Code" });
  assert.deepEqual(lines, ["Mail to [2Ja@b.cMail to d@e.f: 1: Code"]);
});
