import assert from "node:assert/strict";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import {
  mailgunKey as key,
  mailgunToken as token,
  signMailgun,
} from "../../testing/senders/mailgun.ts";

const at = new Date("2026-11-01T12:00:00Z");

const mapping = {
  name: "/event-data/event",
  external_id: "/event-data/user-variables/user",
  properties: { severity: "/event-data/severity" },
};

/** A webhook of Mailgun. */
function mailgunBody({ event = "failed", at: moment = at, ...signing }: {
  secret?: string;
  at?: Date;
  token?: string;
  event?: string;
} = {}): string {
  return JSON.stringify({
    signature: signMailgun({ at: moment, ...signing }),
    "event-data": {
      id: crypto.randomUUID(),
      event,
      severity: "permanent",
      "user-variables": { user: "u1" },
    },
  });
}

Deno.test("POST /inbound accepts only what Mailgun signs in the body", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const source = await world.createSource({ scheme: "mailgun", secret: key, mapping });
  const send = async (body: string) => await world.deliver({ source, body });
  const signed = JSON.parse(mailgunBody());
  const change = (fields: object) =>
    JSON.stringify({ ...signed, signature: { ...signed.signature, ...fields } });
  const { signature: _, ...unsigned } = signed;
  const hour = 60 * 60 * 1000;
  const refused: Record<string, string> = {
    "another secret": mailgunBody({ secret: `${key}x` }),
    "a token that was changed": change({ token: token.replace("e", "f") }),
    "a time that was changed": change({ timestamp: String(at.getTime() / 1000 + 1) }),
    "no signature": JSON.stringify(unsigned),
    "an empty signature": change({ signature: "" }),
    "no token": change({ token: undefined }),
    "a token that is an object": change({ token: {} }),
    "a day ago": mailgunBody({ at: new Date(at.getTime() - 25 * hour) }),
    "an hour ahead": mailgunBody({ at: new Date(at.getTime() + hour) }),
    "no JSON": "x",
    "null": "null",
  };
  for (const [title, body] of Object.entries(refused)) {
    const response = await send(body);
    assert.deepEqual([response.status, response.body.code], [401, "unauthorized"], title);
  }
  const response = await send(mailgunBody());
  assert.deepEqual(
    [response.status, response.body.accepted],
    [200, 1],
    JSON.stringify(response.body),
  );
});

Deno.test("a token of Mailgun's counts once, for any content", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const source = await world.createSource({ scheme: "mailgun", secret: key, mapping });
  const send = async (body: string) => (await world.deliver({ source, body })).body;
  assert.equal((await send(mailgunBody())).accepted, 1);
  // Mailgun signs no more than token and time: the event can be another one.
  const replayed = await send(mailgunBody({ event: "unsubscribed" }));
  assert.deepEqual([replayed.accepted, replayed.duplicates], [0, 1]);
  assert.equal((await send(mailgunBody({ token: token.replace("e", "f") }))).accepted, 1);
  const rows = await world.db.sql`select name from public.events`;
  assert.deepEqual(rows.map(({ name }) => name), ["failed", "failed"]);
});

Deno.test("POST /inbound accepts a user name and a password, as Postmark sends them", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const secret = "postmark:pa:ss-wörd".normalize();
  const source = await world.createSource({
    scheme: "basic",
    secret,
    mapping: { name: { value: "email_bounced" }, anon_id: "/Email" },
  });
  const body = '{"RecordType":"Bounce","ID":42,"Email":"a@example.com"}';
  const basic = (text: string) =>
    `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
  const send = async (authorization?: string) => {
    const headers = { "content-type": "application/json", ...authorization && { authorization } };
    return await world.post(`/inbound/${source.id}`, { headers, body });
  };
  for (
    const authorization of [
      undefined,
      "",
      "Basic",
      "Basic !",
      `Bearer ${secret}`,
      basic(`${secret}x`),
      basic(secret.slice(0, -1)),
      basic("postmark"),
      basic(":"),
      `${basic(secret)}, ${basic(secret)}`,
    ]
  ) {
    const response = await send(authorization);
    assert.deepEqual(
      [response.status, response.body.code],
      [401, "unauthorized"],
      `${authorization}`,
    );
    assert.match(response.headers.get("www-authenticate") ?? "", /^Basic /);
  }
  const good = await send(basic(secret));
  assert.deepEqual([good.status, good.body.accepted], [200, 1], JSON.stringify(good.body));
  assert.equal((await send(basic(secret))).body.duplicates, 1);
  // A receipt shows who sent it, and never with what.
  const receipts = await world.db.sql`select headers::text as text from public.inbound_receipts`;
  assert.ok(receipts.every(({ text }) => !/authorization|Basic/i.test(text)));
});
