import PostalMime, { type Address } from "postal-mime";
import type { StoredMail } from "./mail_store.ts";

/** A mail in a list. */
export interface MailSummary {
  id: string;
  received_at: string;
  /** From the envelope. */
  mail_from: string;
  rcpt_to: string[];
  /** From the headers. */
  from: string;
  to: string[];
  subject: string;
  message_id: string | null;
  /** The header `X-Signalpost-Send`: the id of the send. */
  send_id: string | null;
  bytes: number;
}

/** A mail with its parts. */
export interface MailDetails extends MailSummary {
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
  attachments: { name: string; media_type: string; bytes: number }[];
}

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

/** Reads a mail. A mail that cannot be read has its source as text, and no headers. */
export async function readMail(mail: StoredMail): Promise<MailDetails> {
  const read = await parse(mail.source);
  return {
    ...summarize(mail, read),
    headers: read.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: read.html ?? null,
    text: read.text ?? null,
    attachments: read.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? "",
      media_type: mimeType,
      bytes: typeof content === "string" ? content.length : content.byteLength,
    })),
  };
}

const summaries = new WeakMap<StoredMail, MailSummary>();

/** Returns a mail without its parts; each mail is read once for this. */
export async function summarizeMail(mail: StoredMail): Promise<MailSummary> {
  const summary = summaries.get(mail) ?? summarize(mail, await parse(mail.source));
  summaries.set(mail, summary);
  return summary;
}

function summarize(mail: StoredMail, read: ParsedMail): MailSummary {
  return {
    id: mail.id,
    received_at: mail.receivedAt.toISOString(),
    mail_from: mail.envelope.from,
    rcpt_to: [...mail.envelope.to],
    from: describeAddress(read.from),
    to: (read.to ?? []).map(describeAddress),
    subject: read.subject ?? "",
    message_id: read.messageId ?? null,
    send_id: read.headers.find(({ key }) => key === "x-signalpost-send")?.value ?? null,
    bytes: mail.source.length,
  };
}

// Deep or endless parts are not read: the page shows the source then.
const limits = { maxNestingDepth: 50, maxHeadersSize: 256 * 1024, maxRfc822NestingDepth: 2 };

async function parse(source: Uint8Array): Promise<ParsedMail> {
  try {
    return await PostalMime.parse(source, limits);
  } catch {
    const text = new TextDecoder().decode(source);
    return { headers: [], headerLines: [], attachments: [], text };
  }
}

function describeAddress(address: Address | undefined): string {
  if (address === undefined) return "";
  if (address.group !== undefined) return address.name;
  return address.name === "" ? address.address : `${address.name} <${address.address}>`;
}
