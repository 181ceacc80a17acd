import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestAuthority } from "../../testing/receivers/certificates.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { startSmtpReceiver } from "../../testing/receivers/smtp_receiver.ts";
import { bundleUploads } from "../../testing/service/bundle_uploads.ts";
import { serve, unpack } from "../../testing/service/hosted_functions.ts";
import { describePlatform, dispatchKey } from "../../testing/service/hosted_world.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

const host = "127.0.0.1";
const authority = await createTestAuthority();
const identity = await authority.issue(host);
const upload = (await bundleUploads()).get("send-dispatch")!;

/** Serves the uploaded function with the database and the key of a world. */
async function serveUpload({ db, encryptionKey }: SendWorld) {
  await using stack = new AsyncDisposableStack();
  const unpacked = stack.use(await unpack(upload));
  const certificate = join(unpacked.dir, "authority.pem");
  writeFileSync(certificate, authority.cert);
  const env = {
    ...describePlatform({ databaseUrl: db.url, jwks: "" }),
    SECRETS_ENCRYPTION_KEY: encryptionKey,
    DENO_CERT: certificate,
  };
  const served = stack.use(await serve(unpacked, { env }));
  const kept = stack.move();
  return {
    async wake() {
      const headers = { apikey: dispatchKey };
      const response = await fetch(`${served.url}/send-dispatch`, { method: "POST", headers });
      assert.equal(response.status, 202, await response.text());
    },
    printed: served.printed,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

Deno.test("the upload of send-dispatch sends by HTTP, by STARTTLS and by TLS on the platform's Deno", async () => {
  await using world = await createSendWorld();
  await using upgraded = await startSmtpReceiver({ identity });
  await using secure = await startSmtpReceiver({ identity, isSecure: true });
  await using refusing = await startSmtpReceiver({
    identity: await authority.issue("other.example.com"),
    isSecure: true,
  });
  const receiver = await world.receive({ behaviour: respond(200, { body: '{"id":"r-1"}' }) });
  const addSmtp = (port: number, isSecure: boolean) => {
    const config = { host, port, secure: isSecure, username: "user" };
    return world.addSender(0, { provider: "smtp", config, secrets: { password: "pass" } });
  };
  const senders = [
    await world.addSender(receiver.port),
    await addSmtp(upgraded.port, false),
    await addSmtp(secure.port, true),
    await addSmtp(refusing.port, true),
  ];
  const customer_id = await world.addCustomer("ada@example.com");
  const ids = await world.create(
    ...senders.map((sender_id) => ({ sender_id, customer_id, topic_id: world.topicId })),
  );
  await using served = await serveUpload(world);
  await served.wake();
  const isDone = await served.printed.waitFor((text) => ids.every((id) => text.includes(id)));
  assert(isDone, served.printed.text());
  const isRecorded = async () =>
    (await Promise.all(ids.map((id) => world.read(id)))).every(({ attempts }) => attempts.length);
  while (!await isRecorded());
  const rows = await Promise.all(ids.map((id) => world.read(id)));
  assert.deepEqual(
    rows.map(({ state, attempts }) => [state, attempts[0]!.outcome, attempts[0]!.reason]),
    [
      ["sent", "sent", null],
      ["sent", "sent", null],
      ["sent", "sent", null],
      ["queued", "retry", "tls"],
    ],
    served.printed.text(),
  );
  assert.equal(receiver.requests.length, 1);
  for (const { messages } of [upgraded, secure]) {
    assert.deepEqual(messages.map(({ isEncrypted }) => isEncrypted), [true]);
    assert.match(messages[0]!.source, /^Subject: Hello Ada\r$/m);
  }
  assert.equal(refusing.messages.length, 0);
  assert.deepEqual(await world.events(customer_id), ["email_sent", "email_sent", "email_sent"]);
});
