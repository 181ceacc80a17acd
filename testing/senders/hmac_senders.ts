import { createHmac } from "node:crypto";
import type { hmacSenders } from "../../supabase/functions/api/contract/hmac_senders.ts";

/** Signs as a sender's documentation describes, independently of how the service verifies. */
export interface HmacTestSender {
  name: keyof typeof hmacSenders;
  secret: string;
  /** The headers of a body that is sent to an address at a moment. */
  sign(sent: SentBody): Record<string, string>;
  /** True if the time is signed. */
  isTimed: boolean;
}

/** Body to sign, with the time, URL and secret of its request. */
export interface SentBody {
  body: string;
  at: Date;
  url: string;
  secret: string;
}

function hex(secret: string, text: string, algorithm = "sha256"): string {
  return createHmac(algorithm, secret).update(text, "utf8").digest("hex");
}

function base64(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text, "utf8").digest("base64");
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

export const hmacTestSenders: readonly HmacTestSender[] = [
  {
    name: "linear",
    secret: "lin_wh_8f742231b10e8888abcd99yyyzzz85a5",
    isTimed: false,
    sign: ({ body, secret }) => ({ "Linear-Signature": hex(secret, body) }),
  },
  {
    name: "lemonsqueezy",
    secret: "lemon-9f3c1d7a",
    isTimed: false,
    sign: ({ body, secret }) => ({ "X-Signature": hex(secret, body) }),
  },
  {
    name: "calendly",
    secret: "5mEzn9C-I28UtwOjZJtFoob0sAAFZ95GbZkqj4y3i0I",
    isTimed: true,
    sign: ({ body, at, secret }) => ({
      "Calendly-Webhook-Signature": `t=${seconds(at)},v1=${hex(secret, `${seconds(at)}.${body}`)}`,
    }),
  },
  {
    name: "woocommerce",
    secret: "wc_hook_9f3c1d7a",
    isTimed: false,
    sign: ({ body, secret }) => ({ "X-WC-Webhook-Signature": base64(secret, body) }),
  },
  {
    name: "customerio",
    secret: "755781b5e03a973f3405a85474d5a032a60fd56fabaad66039b12eadd83955fa",
    isTimed: true,
    sign: ({ body, at, secret }) => ({
      "X-CIO-Timestamp": String(seconds(at)),
      "X-CIO-Signature": hex(secret, `v0:${seconds(at)}:${body}`),
    }),
  },
  {
    name: "typeform",
    secret: "e94b0b1d9f3c1d7ae94b0b1d9f3c1d7a",
    isTimed: false,
    sign: ({ body, secret }) => ({ "Typeform-Signature": `sha256=${base64(secret, body)}` }),
  },
  {
    name: "paddle",
    secret: "pdl_ntfset_01gkpjp8bkm3tm53kdgkx6sms7_6h3qd3uFSi9YCD3OLYAShQI90XTI5vEI",
    isTimed: true,
    // While a secret is rotated there is an h1 for each of the two.
    sign: ({ body, at, secret }) => ({
      "Paddle-Signature": `ts=${seconds(at)};h1=${
        hex("rotated-away", `${seconds(at)}:${body}`)
      };h1=${hex(secret, `${seconds(at)}:${body}`)}`,
    }),
  },
  {
    name: "intercom",
    secret: "intercom-client-9f3c1d7a",
    isTimed: false,
    sign: ({ body, secret }) => ({ "X-Hub-Signature": `sha1=${hex(secret, body, "sha1")}` }),
  },
  {
    name: "hubspot",
    secret: "yyyyyyyy-1d7a-yyyy-9f3c-yyyyyyyyyyyy",
    isTimed: true,
    sign: ({ body, at, url, secret }) => ({
      "X-HubSpot-Request-Timestamp": String(at.getTime()),
      "X-HubSpot-Signature-v3": base64(secret, `POST${url}${body}${at.getTime()}`),
      // The older versions are sent as well.
      "X-HubSpot-Signature-Version": "v2",
      "X-HubSpot-Signature": hex("x", body),
    }),
  },
  {
    name: "pagerduty",
    secret: "pd-9f3c1d7ae94b0b1d",
    isTimed: false,
    sign: ({ body, secret }) => ({
      "X-PagerDuty-Signature": `v1=${hex("rotated-away", body)},v1=${hex(secret, body)}`,
    }),
  },
  {
    name: "gitea",
    secret: "3gEsCfjlV2ugRwgpU#w1*WaW*wa4NXgGmpCfkbG3",
    isTimed: false,
    sign: ({ body, secret }) => ({ "X-Gitea-Signature": hex(secret, body) }),
  },
  {
    name: "meta",
    secret: "0d7ae94b0b1d9f3c1d7ae94b0b1d9f3c",
    isTimed: false,
    sign: ({ body, secret }) => ({ "X-Hub-Signature-256": `sha256=${hex(secret, body)}` }),
  },
];
