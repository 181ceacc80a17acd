import { hmacSenders } from "../../../../supabase/functions/api/contract/hmac_senders.ts";
import type { Source } from "../../api/types.ts";
import { emptyHmac, type HmacValues, valuesOfSender } from "./hmac_settings.ts";

/** A system that sends webhooks, and how a source verifies and reads them. */
export interface KnownSender {
  /** Name in the address of the form. */
  key: string;
  label: string;
  scheme: Source["scheme"];
  preset: string | null;
  hmac: HmacValues;
  /** True for a way of signing that many systems use, so that its name is none for a source. */
  isGeneric: boolean;
}

type Extra = Partial<Omit<KnownSender, "key" | "label" | "scheme">>;

function sender(key: string, label: string, scheme: Source["scheme"], extra: Extra = {}) {
  return { key, label, scheme, preset: null, hmac: emptyHmac, isGeneric: false, ...extra };
}

function hmacSender(key: keyof typeof hmacSenders): KnownSender {
  return sender(key, hmacSenders[key].label, "hmac", { hmac: valuesOfSender(key) });
}

/** The senders that a new source can be made for, by what they do. */
export const senderGroups: readonly { label: string; senders: readonly KnownSender[] }[] = [
  {
    label: "Shops and payments",
    senders: [
      sender("shopify", "Shopify", "shopify", { preset: "shopify" }),
      sender("stripe", "Stripe", "stripe"),
      hmacSender("paddle"),
      hmacSender("lemonsqueezy"),
      hmacSender("woocommerce"),
    ],
  },
  {
    label: "Email",
    senders: [
      sender("resend", "Resend", "standard-webhooks", { preset: "resend" }),
      sender("sendgrid", "SendGrid", "sendgrid", { preset: "sendgrid" }),
      sender("postmark", "Postmark", "basic", { preset: "postmark" }),
      sender("mailgun", "Mailgun", "mailgun", { preset: "mailgun" }),
      sender("ses", "Amazon SES", "sns", { preset: "ses" }),
      hmacSender("customerio"),
    ],
  },
  {
    label: "Customers and teams",
    senders: [
      sender("clerk", "Clerk", "standard-webhooks"),
      sender("supabase-auth", "Supabase Auth", "standard-webhooks"),
      sender("slack", "Slack", "slack"),
      hmacSender("hubspot"),
      hmacSender("intercom"),
      hmacSender("calendly"),
      hmacSender("typeform"),
      hmacSender("meta"),
    ],
  },
  {
    label: "Development",
    senders: [
      sender("github", "GitHub", "github"),
      hmacSender("gitea"),
      hmacSender("linear"),
      hmacSender("pagerduty"),
      sender("svix", "Svix", "standard-webhooks"),
    ],
  },
  {
    label: "Any other",
    senders: [
      sender("standard-webhooks", "Standard Webhooks", "standard-webhooks", { isGeneric: true }),
      sender("hmac", "HMAC signatures", "hmac", { isGeneric: true }),
      sender("basic", "Username and password", "basic", { isGeneric: true }),
      sender("sns", "Amazon SNS", "sns"),
      sender("service", "Another Signalpost workspace", "service", { isGeneric: true }),
    ],
  },
];

/** Returns the sender with a name in an address. */
export function findKnownSender(key: string | undefined): KnownSender | undefined {
  return senderGroups.flatMap(({ senders }) => senders).find((sender) => sender.key === key);
}
