import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import PostalMime from "postal-mime";
import { createMailStore } from "../../local/inbox/mail_store.ts";
import { startSmtpInbox } from "../../local/inbox/smtp_inbox.ts";
import { handOverToInbox } from "../../supabase/functions/send-dispatch/providers/inbox.ts";
import type { EmailMessage } from "../../supabase/functions/send-dispatch/providers/provider.ts";

const sendId = "01a20482-676a-7a3c-903b-89c6e39cffc3";
const unsubscribe = `<https://links.acme.example/functions/v1/links/u/${"aB3-_".repeat(60)}>`;

const usual: EmailMessage = {
  sendId,
  messageId: `<${sendId}@acme.example>`,
  from: "Acme <hello@acme.example>",
  replyTo: null,
  to: "ada@example.com",
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: {
    "List-Unsubscribe": unsubscribe,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  },
};

const emails: Record<string, Partial<EmailMessage>> = {
  "plain": {},
  "an Arabic subject": {
    subject: "مرحبا بكم في متجرنا، طلبك في الطريق إليك الآن وسوف يصل قريبا جدا",
  },
  "an emoji subject": { subject: "🎉👩‍👩‍👧‍👦 Your order is on its way 🚚 — thank you! 🇩🇪" },
  "a long subject": { subject: `${"A very long subject ".repeat(48)}end` },
  "a long subject without spaces": { subject: "ü".repeat(900) },
  "a name in Cyrillic": { from: "Почта Акме <hello@acme.example>" },
  "a name with a comma": { from: '"Acme, Inc." <hello@acme.example>' },
  "a line of 998 characters": { text: "x".repeat(998), html: `<p>${"y".repeat(998 - 7)}</p>` },
  "a line of 100,000 characters": { text: "x".repeat(100_000), html: "ü".repeat(50_000) },
  "right-to-left bodies": { text: "مرحبا 🎉", html: "<p dir=rtl>مرحبا 🎉 &amp; שלום</p>" },
  "lines that start with dots": { text: ".\n..\n.dots\nFrom here", html: ".\n.." },
  "text alone": { html: null, text: "Only text: ä" },
  "HTML alone": { text: null },
  "spaces at the ends of lines": { text: "a  \nb\t\n\nc" },
};

/** Sends an email to the inbox and returns the bytes that arrived. */
async function deliver(message: EmailMessage): Promise<Uint8Array<ArrayBuffer>> {
  const store = createMailStore();
  await using smtp = await startSmtpInbox(store);
  const call = { message, config: {}, senderId: sendId, concurrency: 1 };
  assert.equal((await handOverToInbox(call, smtp.port)).outcome, "sent");
  return store.list()[0]!.source;
}

const script = fileURLToPath(new URL("read_email.py", import.meta.url));

async function readByPython(source: Uint8Array<ArrayBuffer>) {
  const python = new Deno.Command("python3", {
    args: [script],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = python.stdin.getWriter();
  await writer.write(source);
  await writer.close();
  const { success, stdout, stderr } = await python.output();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function readByPostalMime(source: Uint8Array<ArrayBuffer>) {
  const read = await PostalMime.parse(source);
  const all = (name: string) => {
    const values = read.headers.filter(({ key }) => key === name).map(({ value }) => value);
    return values.length === 0 ? null : values;
  };
  return {
    subject: read.subject,
    from: [[read.from?.name, read.from?.address]],
    to: read.to?.map(({ name, address }) => [name, address]),
    message_id: read.messageId,
    list_unsubscribe: all("list-unsubscribe"),
    list_unsubscribe_post: all("list-unsubscribe-post"),
    names: [...new Set(read.headers.map(({ key }) => key))].toSorted(),
    text: read.text ?? null,
    html: read.html ?? null,
    defects: [],
  };
}

/** Line ends are CRLF on the wire, and the last one is the transport's. */
function normalize(body: string | null): string | null {
  return body === null ? null : body.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

function assertWireFormat(source: Uint8Array): void {
  const text = new TextDecoder("latin1").decode(source);
  // deno-lint-ignore no-control-regex
  assert(/^[\x00-\x7f]*$/.test(text), "only ASCII");
  assert(!/(?<!\r)\n|\r(?!\n)/.test(text), "lines end with CRLF");
  const longest = Math.max(...text.split("\r\n").map(({ length }) => length));
  assert(longest <= 998, `a line has ${longest} characters`);
}

const headerNames = [
  "content-type",
  "date",
  "from",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "message-id",
  "mime-version",
  "subject",
  "to",
  "x-signalpost-send",
];

for (const [title, changed] of Object.entries(emails)) {
  Deno.test(`postal-mime and Python read an email with the same result: ${title}`, async () => {
    const message = { ...usual, ...changed };
    const source = await deliver(message);
    assertWireFormat(source);
    const [, name, address] = /^"?([^"<]*?)"? <(.*)>$/.exec(message.from)!;
    for (const read of [await readByPython(source), await readByPostalMime(source)]) {
      const { text, html, names, ...rest } = read;
      assert.deepEqual(rest, {
        subject: message.subject,
        from: [[name, address]],
        to: [["", "ada@example.com"]],
        message_id: message.messageId,
        list_unsubscribe: [unsubscribe],
        list_unsubscribe_post: ["List-Unsubscribe=One-Click"],
        defects: [],
      });
      const others = new Set(["content-transfer-encoding"]);
      assert.deepEqual(names.filter((one: string) => !others.has(one)), headerNames);
      // PostalMime makes a text from HTML of its own, and HTML from a text.
      if (message.text !== null) assert.equal(normalize(text), message.text);
      if (message.html !== null) assert.equal(normalize(html), message.html);
    }
  });
}

Deno.test("no field of a message can add a header or a recipient", async () => {
  const evil = "x\r\nBcc: eve@evil.example\r\n\r\nbody";
  const source = await deliver({
    ...usual,
    subject: evil,
    from: '"Acme\r\nBcc: eve@evil.example" <hello@acme.example>',
    replyTo: '"Help\r\nCc: eve@evil.example" <help@acme.example>',
    headers: { "X-Test": evil },
  });
  for (const { names, to } of [await readByPython(source), await readByPostalMime(source)]) {
    assert.deepEqual(to, [["", "ada@example.com"]]);
    assert(!names.includes("bcc") && !names.includes("cc"), names.join());
  }
});
