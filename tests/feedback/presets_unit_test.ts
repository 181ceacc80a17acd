import assert from "node:assert/strict";
import { mapItem } from "../../supabase/functions/_shared/sources/mapping.ts";
import { classifyBounce } from "../../supabase/functions/_shared/sources/presets/bounces.ts";
import type { Preset } from "../../supabase/functions/_shared/sources/sources.ts";

const sendId = "0199a000-0000-7000-8000-00000000000b";

function map(preset: Preset, payload: unknown) {
  return mapItem({ preset, mapping: null }, { payload, headers: {}, messageId: "msg_1" });
}

function draftsOf(preset: Preset, payload: unknown) {
  const mapped = map(preset, payload);
  assert.equal(mapped.kind, "drafts", JSON.stringify(mapped));
  return mapped.kind === "drafts" ? mapped.drafts : [];
}

/** Samples of https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html, shortened. */
const sesBounce = {
  bounceType: "Permanent",
  bounceSubType: "General",
  bouncedRecipients: [
    {
      emailAddress: "jane@example.com",
      action: "failed",
      status: "5.1.1",
      diagnosticCode: "smtp; 550 5.1.1 <jane@example.com>... User",
    },
    {
      emailAddress: "richard@example.com",
      action: "failed",
      status: "5.2.2",
      diagnosticCode: "smtp; 552 5.2.2 mailbox full",
    },
  ],
  timestamp: "2016-01-27T14:59:38.237Z",
  feedbackId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
};
const sesMail = {
  timestamp: "2016-01-27T14:59:38.237Z",
  messageId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
  destination: ["jane@example.com", "mary@example.com", "richard@example.com"],
};

Deno.test("the preset ses makes one event per recipient, the same for both envelopes", () => {
  const notification = { notificationType: "Bounce", bounce: sesBounce, mail: sesMail };
  const published = {
    eventType: "Bounce",
    bounce: sesBounce,
    mail: { ...sesMail, tags: { send_id: [sendId] } },
  };
  const drafts = draftsOf("ses", { Type: "Notification", Message: notification });
  const others = draftsOf("ses", { Type: "Notification", Message: published });
  assert.deepEqual(
    drafts.map(({ email, entry }) => {
      const { bounce_type, reason } = entry.properties as Record<string, unknown>;
      return [email, bounce_type, reason];
    }),
    [["jane@example.com", "hard", "unknown_address"], [
      "richard@example.com",
      "soft",
      "mailbox_full",
    ]],
  );
  assert.deepEqual(drafts.map(({ key }) => key), others.map(({ key }) => key));
  assert.equal(new Set(drafts.map(({ key }) => key)).size, 2);
  assert.deepEqual(others[0]!.send, {
    sendId,
    providerId: sesMail.messageId,
    isOnly: false,
    isRequired: false,
  });
});

Deno.test("the preset resend makes one event per recipient", () => {
  const data = { email_id: "e1", to: ["a@example.com", "b@example.com"], tags: [] };
  const drafts = draftsOf("resend", { type: "email.complained", data });
  assert.deepEqual(drafts.map(({ email, send }) => [email, send?.isOnly]), [
    ["a@example.com", false],
    ["b@example.com", false],
  ]);
});

Deno.test("what is late, an absence note, or not spam is ignored", () => {
  const ignored: [Preset, unknown][] = [
    ["mailgun", { "event-data": { event: "failed", severity: "temporary", recipient: "a@b.c" } }],
    ["mailgun", { "event-data": { event: "opened", recipient: "a@b.c" } }],
    ["postmark", { RecordType: "Bounce", Type: "Transient", Email: "a@b.c" }],
    ["postmark", { RecordType: "Bounce", Type: "AutoResponder", Email: "a@b.c" }],
    ["postmark", { RecordType: "SubscriptionChange", SuppressSending: false }],
    ["postmark", {
      RecordType: "SubscriptionChange",
      SuppressSending: true,
      SuppressionReason: "HardBounce",
    }],
    ["postmark", { RecordType: "Open" }],
    ["sendgrid", { event: "deferred", email: "a@b.c" }],
    ["sendgrid", { event: "constructor", email: "a@b.c" }],
    ["resend", { type: "toString", data: { to: ["a@b.c"] } }],
    ["resend", { type: "email.delivery_delayed", data: { to: ["a@b.c"] } }],
    ["ses", { Message: { eventType: "DeliveryDelay", mail: sesMail } }],
    ["ses", {
      Message: {
        notificationType: "Complaint",
        complaint: {
          complaintFeedbackType: "not-spam",
          complainedRecipients: [{ emailAddress: "a@b.c" }],
        },
      },
    }],
    ["ses", { Message: "Successfully validated SNS topic for Amazon SES event publishing." }],
    ["ses", {}],
  ];
  for (const [preset, payload] of ignored) {
    assert.equal(map(preset, payload).kind, "ignored", JSON.stringify(payload));
  }
});

Deno.test("a payload without a recipient is refused", () => {
  const refused: [Preset, unknown][] = [
    ["mailgun", { "event-data": { event: "complained" } }],
    ["postmark", { RecordType: "Delivery" }],
    ["sendgrid", { event: "bounce" }],
    ["resend", { type: "email.bounced", data: { to: [] } }],
    ["ses", { Message: { notificationType: "Bounce", bounce: {}, mail: sesMail } }],
  ];
  for (const [preset, payload] of refused) {
    assert.equal(map(preset, payload).kind, "refused", JSON.stringify(payload));
  }
});

Deno.test("the id of a send is read from the tag, else from the Message-ID", () => {
  const event = { event: "delivered", email: "a@b.c", sg_event_id: "x" };
  const of = (more: object) => draftsOf("sendgrid", { ...event, ...more })[0]!.send?.sendId;
  assert.equal(of({ send_id: sendId.toUpperCase() }), sendId);
  assert.equal(of({ "smtp-id": `<${sendId}@shop.example>` }), sendId);
  assert.equal(of({ send_id: "x", "smtp-id": "<14c5d75ce93.dfd@ismtpd-555>" }), undefined);
});

const bounces: [Parameters<typeof classifyBounce>[0], string, string | undefined][] = [
  [{ status: "5.1.1", isPermanent: false }, "hard", "unknown_address"],
  [{ status: "5.2.1", isPermanent: true }, "hard", "unknown_address"],
  [{ status: "4.4.7", isPermanent: false }, "hard", "expired"],
  [{ diagnostic: "smtp; 550 4.4.7 Message expired", isPermanent: false }, "hard", "expired"],
  [{ status: "5.2.2", isPermanent: true }, "soft", "mailbox_full"],
  [{ status: "5.3.4", isPermanent: true }, "soft", "message_too_large"],
  [{ status: "5.2.3", isPermanent: true }, "soft", "message_too_large"],
  [{ status: "5.7.1", isPermanent: true }, "soft", "content_refused"],
  [{ diagnostic: "552 attachment not allowed", isPermanent: true }, "soft", "attachment_refused"],
  [{ status: "4.1.1", isPermanent: false }, "soft", undefined],
  [{ status: "5.0.0", isPermanent: true }, "hard", undefined],
  [{ diagnostic: "500 unknown recipient", isPermanent: true }, "hard", undefined],
  [{ diagnostic: "host 10.5.1.1 said no", isPermanent: false }, "soft", undefined],
  [{ isPermanent: false }, "soft", undefined],
  [{ isPermanent: true, reason: "content_refused" }, "soft", "content_refused"],
];

for (const [bounce, type, reason] of bounces) {
  Deno.test(`classifyBounce() reads ${JSON.stringify(bounce)}`, () => {
    assert.deepEqual(classifyBounce(bounce), { bounce_type: type, reason });
  });
}
