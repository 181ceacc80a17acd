/**
 * Payloads in the shapes that their senders publish, shortened. They are text, because Shopify's
 * examples have ids that are larger than a double can hold, and the tests cover this.
 */
export const shopifyOrder = `{
  "id": 820982911946154508,
  "admin_graphql_api_id": "gid://shopify/Order/820982911946154508",
  "confirmed": false,
  "contact_email": "jon@example.com",
  "created_at": "2026-10-31T19:00:00-05:00",
  "currency": "USD",
  "email": "jon@example.com",
  "financial_status": "paid",
  "fulfillment_status": null,
  "name": "#9999",
  "order_number": 1234,
  "processed_at": "2026-10-31T19:00:05-05:00",
  "discount_codes": [{ "code": "WELCOME", "amount": "20.00", "type": "fixed_amount" }],
  "subtotal_price": "388.00",
  "total_discounts": "20.00",
  "total_price": "398.10",
  "total_tax": "0.00",
  "updated_at": "2026-10-31T19:00:06-05:00",
  "customer": {
    "id": 115310627314723954,
    "email": "john@example.com",
    "first_name": "John",
    "last_name": "Smith",
    "phone": null,
    "default_address": { "country_code": "CA", "phone": "123-123-1234" }
  },
  "line_items": [
    {
      "id": 866550311766439020,
      "name": "IPod Nano - 8GB",
      "price": "199.00",
      "product_id": 632910392,
      "quantity": 1,
      "sku": "IPOD2008PINK",
      "title": "IPod Nano - 8GB",
      "variant_id": 808950810
    }
  ]
}`;

export const shopifyRefund = `{
  "id": 890088186047892319,
  "order_id": 820982911946154508,
  "created_at": "2026-11-01T04:00:00-05:00",
  "note": "Things were damaged",
  "user_id": 548380009,
  "processed_at": "2026-11-01T04:00:00-05:00",
  "refund_line_items": [
    {
      "id": 487817672276298627,
      "line_item_id": 487817672276298554,
      "quantity": 1,
      "subtotal": 89.99,
      "line_item": { "product_id": 788032119674292922, "sku": "example-shirt-s", "title": "Example T-Shirt", "price": "89.99" }
    }
  ],
  "transactions": [
    { "id": 245135271310201194, "kind": "refund", "status": "success", "amount": "89.99", "currency": "USD" },
    { "id": 245135271310201195, "kind": "refund", "status": "success", "amount": "0.11", "currency": "USD" },
    { "id": 245135271310201196, "kind": "refund", "status": "failure", "amount": "5.00", "currency": "USD" }
  ]
}`;

export const resendBounce = JSON.stringify({
  type: "email.bounced",
  created_at: "2026-11-01T11:41:11.894719+00:00",
  data: {
    broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
    created_at: "2026-11-01T11:41:11.894719+00:00",
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Acme <onboarding@resend.dev>",
    to: ["Delivered@resend.dev"],
    subject: "Sending this example",
    bounce: {
      message: "The recipient's email address is on the suppression list",
      subType: "Suppressed",
      type: "Permanent",
    },
    tags: { category: "confirm_email" },
  },
});

export const resendComplaint = resendBounce.replace("email.bounced", "email.complained");

export const resendUnsubscribed = JSON.stringify({
  type: "contact.updated",
  created_at: "2026-11-01T11:47:56.678Z",
  data: {
    id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
    audience_id: "78261eea-8f8b-4381-83c6-79fa7120f1cf",
    created_at: "2026-11-01T11:47:56.678Z",
    updated_at: "2026-11-01T11:47:56.678Z",
    email: "steve.wozniak@gmail.com",
    first_name: "Steve",
    last_name: "Wozniak",
    unsubscribed: true,
  },
});

/** A batch of SendGrid's Event Webhook, with the line end that its signature covers. */
export const sendgridEvents = JSON.stringify([
  {
    email: "example@test.com",
    timestamp: 1793534400,
    "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
    event: "delivered",
    category: ["cat facts"],
    sg_event_id: "ZGVsaXZlcmVk",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    response: "250 OK",
  },
  {
    email: "example@test.com",
    timestamp: 1793534401,
    "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
    event: "bounce",
    category: "cat facts",
    sg_event_id: "Ym91bmNl",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    reason: "500 unknown recipient",
    status: "5.0.0",
    type: "bounce",
  },
  {
    email: "example@test.com",
    timestamp: 1793534402,
    event: "spamreport",
    sg_event_id: "c3BhbXJlcG9ydA",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  },
  {
    email: "Other@Test.com",
    timestamp: 1793534403,
    event: "group_unsubscribe",
    sg_event_id: "Z3JvdXBfdW5zdWI",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    asm_group_id: 10,
  },
]) + "\r\n";
