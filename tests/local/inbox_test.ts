import assert from "node:assert/strict";
import nodemailer from "nodemailer";
import { createInbox } from "../../local/inbox/inbox.ts";
import { createMailStore, type MailStore } from "../../local/inbox/mail_store.ts";
import { maxMailBytes, startSmtpInbox } from "../../local/inbox/smtp_inbox.ts";
import { createMailDriver } from "../../local/platform/mail.ts";
import { handOverToInbox } from "../../supabase/functions/send-dispatch/providers/inbox.ts";

const message = {
  sendId: "01a20482-676a-7a3c-903b-89c6e39cffc3",
  messageId: "<01a20482-676a-7a3c-903b-89c6e39cffc3@acme.example>",
  from: "Acme <hello@acme.example>",
  replyTo: null,
  to: "ada@example.com",
  subject: "Hello",
  html: `<script>steal()</script><p onclick="steal()">Hello</p>`,
  text: "Hello",
  headers: {},
};

async function createWorld(store: MailStore = createMailStore()) {
  const smtp = await startSmtpInbox(store);
  const app = createInbox({ store, smtpPort: smtp.port });
  return {
    store,
    smtp,
    call: (path: string, init: RequestInit = {}, host = "127.0.0.1:54321") =>
      app.request(`http://${host}${path}`, { ...init, headers: { host, ...init.headers } }),
    async send(changed: Partial<typeof message> = {}) {
      const sent = { ...message, ...changed };
      return await handOverToInbox(
        { message: sent, config: {}, senderId: sent.sendId, concurrency: 1 },
        smtp.port,
      );
    },
    [Symbol.asyncDispose]: () => smtp[Symbol.asyncDispose](),
  };
}

Deno.test("the inbox keeps a mail of the provider inbox, and shows it as JSON", async () => {
  await using world = await createWorld();
  const result = await world.send();
  assert.equal(result.outcome, "sent", JSON.stringify(result));
  const { data } = await (await world.call("/inbox/api/mails")).json();
  const [{ id, received_at: _, bytes, ...mail }] = data;
  assert.deepEqual(mail, {
    mail_from: "hello@acme.example",
    rcpt_to: ["ada@example.com"],
    from: "Acme <hello@acme.example>",
    to: ["ada@example.com"],
    subject: "Hello",
    message_id: message.messageId,
    send_id: message.sendId,
  });
  assert(bytes > 100);
  const whole = await (await world.call(`/inbox/api/mails/${id}`)).json();
  assert.equal(whole.text.trim(), "Hello");
  assert.match(whole.html, /<p onclick/);
  assert(whole.headers.some(({ name }: { name: string }) => name === "MIME-Version"));
  const others = await (await world.call("/inbox/api/mails?to=bob@example.com")).json();
  assert.deepEqual(others, { data: [] });
  const later = world.call("/inbox/api/mails?to=bob@example.com&wait=30");
  await world.send({ to: "bob@example.com" });
  assert.equal((await (await later).json()).data.length, 1, "waits for the mail");
  const same = await (await world.call("/inbox/api/mails?to=ADA@example.com")).json();
  assert.equal(same.data.length, 1);
});

Deno.test("a mail's HTML cannot run scripts, send forms, load anything or see the address", async () => {
  await using world = await createWorld();
  await world.send();
  const { data: [{ id }] } = await (await world.call("/inbox/api/mails")).json();
  const frame = await world.call(`/inbox/${id}/html`);
  const policy = frame.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
  assert.doesNotMatch(policy, /allow-scripts|allow-same-origin|script-src|connect-src|https?:/);
  assert.match(policy, /frame-ancestors 'self'/);
  assert.equal(frame.headers.get("x-content-type-options"), "nosniff");
  assert.match(await frame.text(), /^<!doctype html><base target="_blank"><script>steal/);
  const withImages = await world.call(`/inbox/${id}/html?images=1`);
  assert.match(withImages.headers.get("content-security-policy")!, /img-src data: http: https:/);
  await withImages.body?.cancel();

  const page = await world.call(`/inbox/${id}`);
  const text = await page.text();
  assert.match(text, /sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  assert.doesNotMatch(text, /<script|onclick="steal/);
  assert.match(page.headers.get("content-security-policy")!, /^default-src 'none'/);
});

Deno.test("texts of a mail are escaped on the pages of the inbox", async () => {
  await using world = await createWorld();
  await world.send({
    subject: "<img src=x onerror=steal()>",
    text: "</pre><script>steal()</script>",
  });
  const list = await (await world.call("/inbox")).text();
  assert.match(list, /&lt;img src=x onerror=steal\(\)&gt;/);
  const { data: [{ id }] } = await (await world.call("/inbox/api/mails")).json();
  const page = await (await world.call(`/inbox/${id}`)).text();
  assert.doesNotMatch(page, /<script|<img/);
  const source = await world.call(`/inbox/${id}/source`);
  assert.match(source.headers.get("content-type")!, /^text\/plain/);
  assert.match(await source.text(), /^From: Acme <hello@acme\.example>\r\n/m);
});

Deno.test("other sites can neither read nor empty the inbox", async () => {
  await using world = await createWorld();
  await world.send();
  // A name of theirs that leads to this machine.
  const rebound = await world.call("/inbox/api/mails", {}, "evil.example:54321");
  assert.equal(rebound.status, 403);
  await rebound.body?.cancel();
  const origin = { origin: "https://evil.example" };
  const attempts = [
    await world.call("/inbox/delete", { method: "POST", headers: origin }),
    await world.call("/inbox/api/mails", { method: "DELETE", headers: origin }),
    await world.call("/inbox/api/mails", { headers: origin }),
  ];
  for (const { status, headers, body } of attempts) {
    assert.equal(status, 403);
    assert.equal(headers.get("access-control-allow-origin"), null);
    await body?.cancel();
  }
  assert.equal(world.store.list().length, 1);
  const own = { origin: "http://127.0.0.1:54321" };
  const emptied = await world.call("/inbox/delete", { method: "POST", headers: own });
  assert.equal(emptied.status, 303);
  assert.deepEqual(world.store.list(), []);
  assert.match(await (await world.call("/inbox")).text(), /No emails yet/);
  assert.equal((await world.call("/inbox/no-such-mail")).status, 404);
});

Deno.test("createMailStore() keeps the newest mails within a number and a size", () => {
  const store = createMailStore({ maxMails: 3, maxBytes: 100 });
  const envelope = { from: "a@b.c", to: ["d@e.f"] };
  const ids = [1, 2, 3, 4].map((size) => store.add(envelope, new Uint8Array(size)));
  assert.deepEqual(store.list().map(({ id }) => id), [ids[3], ids[2], ids[1]]);
  assert.equal(store.find(ids[0]!), undefined);
  const large = store.add(envelope, new Uint8Array(95));
  assert.deepEqual(store.list().map(({ id }) => id), [large, ids[3]]);
  store.add(envelope, new Uint8Array(101));
  assert.deepEqual(store.list(), []);
});

Deno.test("the inbox refuses a mail over 10 MiB, and takes the next one", async () => {
  await using world = await createWorld();
  const large = await world.send({ text: `${"x".repeat(999)}\n`.repeat(maxMailBytes / 1000) });
  assert.deepEqual([large.outcome, large.statusCode], ["failed", 552]);
  assert.equal((await world.send()).outcome, "sent");
  assert.equal(world.store.list().length, 1);
});

Deno.test("the inbox takes mail with any user name and password", async () => {
  await using world = await createWorld();
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: world.smtp.port,
    auth: { user: "anybody", pass: "anything" },
  });
  await transport.sendMail({ from: "a@b.c", to: ["d@e.f", "g@h.i"], subject: "S", text: "T" });
  transport.close();
  assert.deepEqual(world.store.list()[0]?.envelope, { from: "a@b.c", to: ["d@e.f", "g@h.i"] });
});

Deno.test("a mail with endless parts is shown as it came", async () => {
  await using world = await createWorld();
  const part = (n: number) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
  const source = Array.from({ length: 60 }, (_, n) => part(n)).join("");
  const bytes = new TextEncoder().encode(source);
  const id = world.store.add({ from: "", to: [] }, bytes);
  const { headers, text } = await (await world.call(`/inbox/api/mails/${id}`)).json();
  assert.equal(headers.length, 0);
  assert.equal(text, source);
});

Deno.test("startSmtpInbox() takes another port if the wanted one is in use", async () => {
  await using first = await startSmtpInbox(createMailStore());
  await using second = await startSmtpInbox(createMailStore(), first.port);
  assert.notEqual(second.port, first.port);
});

Deno.test("createMailDriver() puts e-mails of Auth into the inbox, and continues without one", async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  let port = 0;
  const mail = {
    to: "ada@example.com",
    subject: "Code",
    text: "Your code: 123456",
    html: "<p>1</p>",
  };
  {
    await using world = await createWorld();
    port = world.smtp.port;
    await createMailDriver({ say, smtpPort: port }).send(mail);
    const { data } = await (await world.call("/inbox/api/mails")).json();
    assert.deepEqual([data[0].subject, data[0].from], ["Code", "Supabase Auth <auth@localhost>"]);
  }
  await createMailDriver({ say, smtpPort: port }).send(mail);
  assert.equal(lines.length, 3);
  assert.match(lines[2]!, /^Cannot put the mail to ada@example\.com into the inbox: /);
});
