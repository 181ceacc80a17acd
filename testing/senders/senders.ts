import { generateKeyPairSync, sign as signEcdsa } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { createSHA256HMAC } from "@shopify/shopify-api/runtime";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import type { Scheme } from "../../supabase/functions/_shared/sources/sources.ts";
import { signBody } from "../../supabase/functions/_shared/secrets/signing.ts";

/** Signs as a sender does, with the sender's own library where it has one that signs. */
export interface Sender {
  scheme: Exclude<Scheme, "mailgun" | "sns" | "basic" | "hmac">;
  /** Secret that is pasted into the source. */
  secret: string;
  /** A secret of the same form that signed nothing. */
  otherSecret: string;
  /** The headers that carry the signature, of the body sent at that moment, under an id. */
  sign(body: string, at: Date, id?: string): Promise<Record<string, string>>;
  /** Of those, the one that holds the signature, and the one that holds the time if there is one. */
  signatureHeader: string;
  timestampHeader?: string;
}

const encryption = { namedCurve: "prime256v1" };
const sendgridKeys = generateKeyPairSync("ec", encryption);
const otherKeys = generateKeyPairSync("ec", encryption);
const standardSecret = "whsec_" + btoa("0123456789abcdef0123456789abcdef");

export const senders: readonly Sender[] = [
  {
    scheme: "service",
    secret: "whsec_service-secret",
    otherSecret: "whsec_other-secret",
    signatureHeader: "x-service-signature",
    sign: (body) =>
      Promise.resolve({
        "x-service-signature": signBody("whsec_service-secret", new TextEncoder().encode(body)),
      }),
  },
  {
    scheme: "standard-webhooks",
    secret: standardSecret,
    otherSecret: "whsec_" + btoa("fedcba9876543210fedcba9876543210"),
    signatureHeader: "webhook-signature",
    timestampHeader: "webhook-timestamp",
    sign: (body, at, id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W") =>
      Promise.resolve({
        "webhook-id": id,
        "webhook-timestamp": seconds(at),
        "webhook-signature": new Webhook(standardSecret).sign(id, at, body),
      }),
  },
  {
    scheme: "stripe",
    secret: "whsec_stripe_test_secret",
    otherSecret: "whsec_stripe_other_secret",
    signatureHeader: "stripe-signature",
    sign: async (body, at) => ({
      "stripe-signature": await Stripe.webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret: "whsec_stripe_test_secret",
        timestamp: Number(seconds(at)),
      }),
    }),
  },
  {
    scheme: "shopify",
    secret: "shopify-client-secret",
    otherSecret: "shopify-other-secret",
    signatureHeader: "x-shopify-hmac-sha256",
    sign: async (body) => ({
      "x-shopify-hmac-sha256": await createSHA256HMAC("shopify-client-secret", body),
    }),
  },
  {
    scheme: "github",
    secret: "It's a Secret to Everybody",
    otherSecret: "It's a Secret to Nobody",
    signatureHeader: "x-hub-signature-256",
    sign: async (body) => ({
      "x-hub-signature-256": await signGithub("It's a Secret to Everybody", body),
    }),
  },
  {
    scheme: "slack",
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    otherSecret: "8f742231b10e8888abcd99yyyzzz85a6",
    signatureHeader: "x-slack-signature",
    timestampHeader: "x-slack-request-timestamp",
    // Slack's libraries only verify: this form is held against its published example elsewhere.
    sign: (body, at) => {
      const signed = new TextEncoder().encode(`v0:${seconds(at)}:${body}`);
      return Promise.resolve({
        "x-slack-request-timestamp": seconds(at),
        "x-slack-signature": `v0=${signBody("8f742231b10e8888abcd99yyyzzz85a5", signed)}`,
      });
    },
  },
  {
    scheme: "sendgrid",
    secret: exportKey(sendgridKeys.publicKey),
    otherSecret: exportKey(otherKeys.publicKey),
    signatureHeader: "x-twilio-email-event-webhook-signature",
    timestampHeader: "x-twilio-email-event-webhook-timestamp",
    // SendGrid's library only verifies: that it accepts these signatures is tested elsewhere.
    sign: (body, at) => {
      const signed = new TextEncoder().encode(seconds(at) + body);
      const signature = signEcdsa("sha256", signed, sendgridKeys.privateKey).toString("base64");
      return Promise.resolve({
        "x-twilio-email-event-webhook-signature": signature,
        "x-twilio-email-event-webhook-timestamp": seconds(at),
      });
    },
  },
];

/** The sender of a scheme; undefined for one whose requests tests sign on their own. */
export function findSender(scheme: Scheme): Sender | undefined {
  return senders.find((each) => each.scheme === scheme);
}

/** The sender of a scheme that has one. */
export function senderOf(scheme: Sender["scheme"]): Sender {
  const sender = findSender(scheme);
  if (sender === undefined) throw new Error(`Cannot sign: there is no sender "${scheme}"`);
  return sender;
}

function seconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}

function exportKey(key: typeof sendgridKeys.publicKey): string {
  return key.export({ type: "spki", format: "der" }).toString("base64");
}
