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
  /** True for a way of signing that many systems use. A source needs another name than that. */
  isGeneric: boolean;
}

type Given = Pick<KnownSender, "key" | "label" | "scheme"> & Partial<KnownSender>;

function sender(given: Given): KnownSender {
  return { preset: null, hmac: emptyHmac, isGeneric: false, ...given };
}

function hmacSender(key: keyof typeof hmacSenders): KnownSender {
  const { label } = hmacSenders[key];
  return sender({ key, label, scheme: "hmac", hmac: valuesOfSender(key) });
}

/** The senders that a new source can be made for, by what they do. */
export const senderGroups: readonly { label: string; senders: readonly KnownSender[] }[] = [
  {
    label: "Shops and payments",
    senders: [
      sender({ key: "shopify", label: "Shopify", scheme: "shopify", preset: "shopify" }),
      sender({ key: "stripe", label: "Stripe", scheme: "stripe" }),
      hmacSender("paddle"),
      hmacSender("lemonsqueezy"),
      hmacSender("woocommerce"),
    ],
  },
  {
    label: "Email",
    senders: [
      sender({ key: "resend", label: "Resend", scheme: "standard-webhooks", preset: "resend" }),
      sender({ key: "sendgrid", label: "SendGrid", scheme: "sendgrid", preset: "sendgrid" }),
      sender({ key: "postmark", label: "Postmark", scheme: "basic", preset: "postmark" }),
      sender({ key: "mailgun", label: "Mailgun", scheme: "mailgun", preset: "mailgun" }),
      sender({ key: "ses", label: "Amazon SES", scheme: "sns", preset: "ses" }),
      hmacSender("customerio"),
    ],
  },
  {
    label: "Customers and teams",
    senders: [
      sender({ key: "clerk", label: "Clerk", scheme: "standard-webhooks" }),
      sender({ key: "supabase-auth", label: "Supabase Auth", scheme: "standard-webhooks" }),
      sender({ key: "slack", label: "Slack", scheme: "slack" }),
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
      sender({ key: "github", label: "GitHub", scheme: "github" }),
      hmacSender("gitea"),
      hmacSender("linear"),
      hmacSender("pagerduty"),
      sender({ key: "svix", label: "Svix", scheme: "standard-webhooks" }),
    ],
  },
  {
    label: "Any other",
    senders: [
      sender({
        key: "standard-webhooks",
        label: "Standard Webhooks",
        scheme: "standard-webhooks",
        isGeneric: true,
      }),
      sender({ key: "hmac", label: "HMAC signatures", scheme: "hmac", isGeneric: true }),
      sender({ key: "basic", label: "Username and password", scheme: "basic", isGeneric: true }),
      sender({ key: "sns", label: "Amazon SNS", scheme: "sns" }),
      sender({
        key: "service",
        label: "Another Signalpost workspace",
        scheme: "service",
        isGeneric: true,
      }),
    ],
  },
];

/** Returns the sender with a name in an address. */
export function findKnownSender(key: string | undefined): KnownSender | undefined {
  return senderGroups.flatMap(({ senders }) => senders).find((sender) => sender.key === key);
}
