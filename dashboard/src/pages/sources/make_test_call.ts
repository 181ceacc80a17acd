import type { Source } from "../../api/types.ts";
import { quoteShell } from "../../format/quote_shell.ts";

/** Stands for a secret that is not shown again. */
const secretPlaceholder = "YOUR_SECRET";

const body = '{"type":"order_created","user":"user-1"}';

const sign = 'openssl dgst -sha256 -hmac "$SECRET"';

/** Takes the digest from the output of openssl. */
const inHex = "sed 's/.* //'";

interface Signing {
  /** Lines that set the variables of the headers. */
  lines: string[];
  headers: string[];
}

/** Signatures of senders, where a shell can make them. */
const signings: Partial<Record<Source["scheme"], Signing>> = {
  "service": {
    lines: [`SIGNATURE=$(printf %s "$BODY" | ${sign} | ${inHex})`],
    headers: ["X-Service-Signature: $SIGNATURE"],
  },
  "github": {
    lines: [`SIGNATURE=$(printf %s "$BODY" | ${sign} | ${inHex})`],
    headers: ["X-Hub-Signature-256: sha256=$SIGNATURE"],
  },
  "shopify": {
    lines: [`SIGNATURE=$(printf %s "$BODY" | ${sign} -binary | base64)`],
    headers: ["X-Shopify-Hmac-SHA256: $SIGNATURE"],
  },
  "stripe": {
    lines: ["TIME=$(date +%s)", `SIGNATURE=$(printf %s "$TIME.$BODY" | ${sign} | ${inHex})`],
    headers: ["Stripe-Signature: t=$TIME,v1=$SIGNATURE"],
  },
  "slack": {
    lines: ["TIME=$(date +%s)", `SIGNATURE=$(printf %s "v0:$TIME:$BODY" | ${sign} | ${inHex})`],
    headers: ["X-Slack-Request-Timestamp: $TIME", "X-Slack-Signature: v0=$SIGNATURE"],
  },
  "standard-webhooks": {
    lines: [
      "TIME=$(date +%s)",
      `KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \\n')`,
      'SIGNATURE=$(printf %s "msg_$TIME.$TIME.$BODY" | \\\n' +
      '  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    ],
    headers: [
      "webhook-id: msg_$TIME",
      "webhook-timestamp: $TIME",
      "webhook-signature: v1,$SIGNATURE",
    ],
  },
};

interface TestCall {
  scheme: Source["scheme"];
  /** Address of the source. */
  url: string;
  /** @default a placeholder */
  secret?: string | null;
}

/** Returns commands that send a signed request; undefined where only the sender can sign. */
export function makeTestCall({ scheme, url, secret }: TestCall): string | undefined {
  const shown = quoteShell(secret ?? secretPlaceholder);
  const call = (...headers: string[]) =>
    [`curl ${quoteShell(url)}`, ...headers, '-H "Content-Type: application/json"', '-d "$BODY"']
      .join(" \\\n  ");
  if (scheme === "basic") return [`BODY=${quoteShell(body)}`, call(`-u ${shown}`)].join("\n");
  const signing = signings[scheme];
  if (signing === undefined) return undefined;
  return [
    `SECRET=${shown}`,
    `BODY=${quoteShell(body)}`,
    ...signing.lines,
    call(...signing.headers.map((header) => `-H "${header}"`)),
  ].join("\n");
}
