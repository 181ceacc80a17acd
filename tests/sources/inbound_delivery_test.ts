import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { signBody } from "../../supabase/functions/_shared/secrets/signing.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import {
  resendBounce,
  resendComplaint,
  resendUnsubscribed,
  sendgridEvents,
  shopifyOrder,
  shopifyRefund,
} from "../../testing/data/payloads.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";

Deno.test("webhooks of Shopify, Resend and SendGrid reach a destination with our signature", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { secret } = await world.addDestination({
    url: `http://127.0.0.1:${receiver.port}/`,
    eventTypes: ["order_*", "email_*", "unsubscribed"],
  });
  await using inbound = await createInboundWorld({ on: world });
  const shopify = await inbound.createSource({ scheme: "shopify", preset: "shopify" });
  const resend = await inbound.createSource({ scheme: "standard-webhooks", preset: "resend" });
  const sendgrid = await inbound.createSource({ scheme: "sendgrid", preset: "sendgrid" });
  const topics = ["orders/create", "orders/fulfilled", "refunds/create"];
  const sent = [
    ...topics.map((topic) => ({
      source: shopify,
      body: topic === "refunds/create" ? shopifyRefund : shopifyOrder,
      headers: { "x-shopify-topic": topic },
    })),
    ...[resendBounce, resendComplaint, resendUnsubscribed].map((body, i) => ({
      source: resend,
      body,
      // The library signs the id too, so each message is signed with its own.
      id: `msg_${i}`,
    })),
    { source: sendgrid, body: sendgridEvents },
  ];
  for (const delivery of sent) {
    const { status, body } = await inbound.deliver(delivery);
    assert.deepEqual([status, body.ok], [200, true], JSON.stringify(body));
  }
  world.clock.advance(60_000);
  await world.dispatch();

  const messages = receiver.requests.map((request) => readMessage(request, secret));
  const types = messages.map(({ event_type }) => event_type).sort();
  assert.deepEqual(types, [
    "email_bounced",
    "email_bounced",
    "email_complained",
    "email_complained",
    "order_completed",
    "order_created",
    "order_refunded",
    "unsubscribed",
    "unsubscribed",
  ]);
  const orders = messages.filter(({ event_type }) => event_type.startsWith("order_"));
  assert.equal(new Set(orders.map(({ payload }) => payload.customer_id)).size, 1);
  const refund = orders.find(({ event_type }) => event_type === "order_refunded");
  assert.deepEqual([refund?.payload.properties.order_id, refund?.payload.properties.total], [
    "820982911946154508",
    90.1,
  ]);
});

interface Message {
  event_type: string;
  payload: { customer_id: string; properties: Record<string, unknown> };
}

/** The message of a request whose two signatures are both good. */
function readMessage({ headers, body }: ReceivedRequest, secret: string): Message {
  const all = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  assert.equal(all["x-service-signature"], signBody(secret, body));
  const text = new TextDecoder().decode(body);
  new Webhook(secret).verify(text, all);
  return JSON.parse(text);
}
