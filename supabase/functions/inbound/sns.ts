import { Buffer } from "node:buffer";
import { verify } from "node:crypto";
import { z } from "zod";
import { unavailable } from "../_shared/errors/errors.ts";
import { parsePayload } from "../_shared/sources/payload.ts";
import { hostOfTopic } from "../_shared/sources/sns_topic.ts";
import type { GuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { type CertificateBook, createSnsCertificateBook } from "./sns_certificates.ts";
import type { CallBudget } from "../_shared/rate_limit/call_budget.ts";
import { refused, requireFresh } from "./verify.ts";

const text = z.string().max(1024 * 1024);

const envelope = z.looseObject({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: text,
  TopicArn: text,
  Message: text,
  Subject: text.nullish(),
  Timestamp: text,
  SignatureVersion: text,
  Signature: text,
  SigningCertURL: text,
  SubscribeURL: text.nullish(),
  Token: text.nullish(),
});

/** A verified SNS message. */
export type SnsMessage = z.output<typeof envelope>;

export interface SnsReader {
  /**
   * Verifies the message in a body for the topic that a source expects.
   *
   * @throws {ApiError} `unauthorized`, or `unavailable` if the certificate cannot be fetched
   */
  read(received: { body: Uint8Array; topicArn: string; sourceId: string }): Promise<SnsMessage>;
  /**
   * Confirms a subscription, with the URL from a verified message.
   *
   * @throws {ApiError} `unauthorized` for another host, `unavailable` if it does not respond
   */
  confirm(message: SnsMessage): Promise<void>;
}

export interface SnsOptions {
  fetch: Pick<GuardedFetch, "send">;
  now: () => Date;
  /** Limits how often a source causes a certificate fetch. */
  budget: CallBudget;
}

const algorithms: Readonly<Record<string, string>> = { "1": "RSA-SHA1", "2": "RSA-SHA256" };
const certificatePath = /^\/SimpleNotificationService(?:-[0-9a-f]{1,64})?\.pem$/;
// The time is that of publishing, not of the attempt; a MessageId counts once within a day.
const tolerance = { past: 24 * 60 * 60, future: 300 };

/** Creates the reader that verifies SNS messages and confirms subscriptions. */
export function createSnsReader({ fetch, now, budget }: SnsOptions): SnsReader {
  const certificates = createSnsCertificateBook({ fetch, now, budget });
  return {
    async read({ body, topicArn, sourceId }) {
      const message = readEnvelope(body);
      if (message.TopicArn !== topicArn) {
        throw refused("Signature does not match: the message belongs to another topic");
      }
      requireFresh({ at: Date.parse(message.Timestamp) / 1000, now: now(), tolerance });
      await verifyMessage(message, { certificates, sourceId });
      return message;
    },
    confirm: (message) => confirm(fetch, message),
  };
}

function readEnvelope(body: Uint8Array): SnsMessage {
  const read = envelope.safeParse(readJson(body));
  if (!read.success) {
    throw refused("Signature is missing: switch off raw message delivery in SNS");
  }
  if (Number.isNaN(Date.parse(read.data.Timestamp))) throw refused("Signature is malformed");
  return read.data;
}

function readJson(body: Uint8Array): unknown {
  try {
    return parsePayload(body, "application/json");
  } catch {
    return undefined;
  }
}

async function verifyMessage(
  message: SnsMessage,
  { certificates, sourceId }: { certificates: CertificateBook; sourceId: string },
): Promise<void> {
  const host = hostOfTopic(message.TopicArn);
  const url = readUrl(message.SigningCertURL);
  const isTheirs = url !== null && url.host === host && certificatePath.test(url.pathname) &&
    url.search === "" && url.hash === "";
  if (!isTheirs) throw refused(`Signature is malformed: its certificate must be at "${host}"`);
  const algorithm = algorithms[message.SignatureVersion];
  if (algorithm === undefined) {
    throw refused("Signature is malformed: its version must be 1 or 2");
  }
  const signature = Buffer.from(message.Signature, "base64");
  const key = await certificates.find(url.href, sourceId);
  if (!verify(algorithm, Buffer.from(writeSigned(message)), key, signature)) {
    throw refused("Signature does not match: SNS did not sign this message");
  }
}

/** Returns the text that SNS signs: names and values, each on a line of its own. */
function writeSigned(message: SnsMessage): string {
  const names = message.Type === "Notification"
    ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const
    : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const;
  return names.filter((name) => typeof message[name] === "string")
    .map((name) => `${name}\n${message[name]}\n`).join("");
}

async function confirm(fetch: Pick<GuardedFetch, "send">, message: SnsMessage): Promise<void> {
  const host = hostOfTopic(message.TopicArn);
  const url = readUrl(message.SubscribeURL ?? "");
  const isTheirs = url !== null && url.host === host && url.pathname === "/" &&
    url.searchParams.get("Action") === "ConfirmSubscription" &&
    url.searchParams.get("TopicArn") === message.TopicArn;
  if (!isTheirs) throw refused(`Cannot confirm the subscription: its URL must be at "${host}"`);
  const body = new Uint8Array();
  const { ok } = await fetch.send({ method: "GET", key: host, url: url.href, headers: {}, body });
  if (!ok) throw unavailable("Cannot confirm the subscription: SNS did not respond");
}

/** Parses an https URL without credentials; null for any other. */
function readUrl(address: string): URL | null {
  const url = URL.parse(address);
  const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "";
  return isPlain ? url : null;
}
