import { profileFields } from "../../entries/profile.ts";
import {
  asArray,
  asInstant,
  asNumber,
  asRecord,
  asText,
  type Draft,
  dropMissing,
  ignore,
  type MappedItem,
  refuse,
} from "../drafts.ts";
import type { Material } from "../values.ts";

const eventNames: Readonly<Record<string, string>> = {
  "orders/create": "order_created",
  // The shop chooses which of the two completes an order, and subscribes to that one.
  "orders/paid": "order_completed",
  "orders/fulfilled": "order_completed",
  "refunds/create": "order_refunded",
};

// An entry may have 32 KiB, and a product takes about 300 bytes.
const maxProducts = 50;

/**
 * Maps orders and refunds of Shopify. A refund contains only its order's id, so that id becomes an
 * anonymous id of the customer: it links the refund to them, whichever arrives first.
 */
export function mapShopify({ payload, headers }: Material): MappedItem {
  const topic = headers["x-shopify-topic"] ?? "";
  const name = eventNames[topic];
  if (name === undefined) return ignore(`Topic "${topic}" is not in the preset`);
  const body = asRecord(payload);
  const isRefund = name === "order_refunded";
  const orderId = asText(isRefund ? body.order_id : body.id);
  if (orderId === undefined) return refuse(isRefund ? "order_id" : "id", "is required");
  const key = `${topic}:${headers["x-shopify-event-id"] ?? asText(body.id) ?? orderId}`;
  const anonId = `shopify:order:${orderId}`;
  const customer = asRecord(body.customer);
  const externalId = asText(customer.id);
  const event: Draft = {
    key,
    entry: dropMissing({
      name,
      external_id: externalId,
      anon_id: externalId === undefined ? anonId : undefined,
      occurred_at: asInstant(occurredAt(topic, body)),
      properties: dropMissing({
        order_id: orderId,
        shop: headers["x-shopify-shop-domain"],
        ...isRefund ? refundProperties(body) : orderProperties(body),
      }),
    }),
  };
  if (externalId === undefined) return { kind: "drafts", drafts: [event] };
  const identify: Draft = {
    key: `${key}:identify`,
    entry: {
      type: "identify",
      external_id: externalId,
      anon_id: anonId,
      ...profileOf(customer),
    },
  };
  return { kind: "drafts", drafts: [identify, event] };
}

function occurredAt(topic: string, body: Record<string, unknown>): unknown {
  if (topic === "orders/create") return body.created_at;
  return body.processed_at ?? body.updated_at ?? body.created_at;
}

function orderProperties(order: Record<string, unknown>): Record<string, unknown> {
  return {
    order_number: asText(order.order_number),
    order_name: asText(order.name),
    email: asText(order.email),
    currency: asText(order.currency),
    total: asNumber(order.total_price),
    subtotal: asNumber(order.subtotal_price),
    tax: asNumber(order.total_tax),
    discount: asNumber(order.total_discounts),
    financial_status: asText(order.financial_status),
    fulfillment_status: asText(order.fulfillment_status),
    coupons: asArray(order.discount_codes).map((each) => asText(asRecord(each).code)),
    product_count: asArray(order.line_items).length,
    products: asArray(order.line_items).slice(0, maxProducts).map((each) =>
      productOf(asRecord(each))
    ),
  };
}

function refundProperties(refund: Record<string, unknown>): Record<string, unknown> {
  const transactions = asArray(refund.transactions).map(asRecord)
    .filter(({ kind, status }) => kind === "refund" && status === "success");
  const lines = asArray(refund.refund_line_items).map(asRecord);
  return {
    refund_id: asText(refund.id),
    currency: asText(transactions[0]?.currency),
    // Cents are added as integers, because 0.1 + 0.2 is inexact.
    total: transactions.reduce((sum, { amount }) => {
      return sum + Math.round((asNumber(amount) ?? 0) * 100);
    }, 0) / 100,
    note: asText(refund.note),
    product_count: lines.length,
    products: lines.slice(0, maxProducts).map((line) => ({
      ...productOf(asRecord(line.line_item)),
      quantity: asNumber(line.quantity),
    })),
  };
}

function productOf(line: Record<string, unknown>): Record<string, unknown> {
  return dropMissing({
    product_id: asText(line.product_id),
    variant_id: asText(line.variant_id),
    sku: asText(line.sku),
    name: asText(line.name ?? line.title),
    quantity: asNumber(line.quantity),
    price: asNumber(line.price),
  });
}

/** Returns the valid profile fields: an invalid phone number must not reject the order. */
function profileOf(customer: Record<string, unknown>): Record<string, unknown> {
  const address = asRecord(customer.default_address);
  const fields = [
    ["email", customer.email],
    ["phone", customer.phone ?? address.phone],
    ["first_name", customer.first_name],
    ["last_name", customer.last_name],
    ["country", address.country_code],
  ] as const;
  return Object.fromEntries(
    fields.filter(([name, value]) => profileFields[name].safeParse(value).success),
  );
}
