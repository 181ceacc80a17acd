import { canonicalAddress } from "../../entries/addresses.ts";
import { anyCaseUuidForm } from "../../ids/uuid.ts";
import { asInstant, asText, type Draft, dropMissing } from "../drafts.ts";

/** A provider's report about one recipient of a message. */
export interface Report {
  name:
    | "email_delivered"
    | "email_bounced"
    | "email_complained"
    | "email_failed"
    | "unsubscribed";
  email: string;
  /** The provider's id of the report, unique within the source. */
  key: string;
  /** Customer that the sender of the message named. */
  externalId?: string | undefined;
  /** Time as sent. */
  at: unknown;
  properties: Record<string, unknown>;
  /** Texts that may contain the id of a send, first the tag: `<id@domain>` or the id. */
  sendIds: readonly unknown[];
  /** The provider's id of the message. */
  providerId?: string | undefined;
  /** True if the message had one recipient. */
  isOnly: boolean;
}

// These are ignored for a message that is not ours.
const aboutSendsOnly: ReadonlySet<string> = new Set(["email_delivered", "email_failed"]);

/** Turns a report into an event of the recipient. */
export function toDraft(report: Report): Draft {
  const { name, key, externalId, at, properties, providerId, isOnly } = report;
  // Mail servers encode an international domain.
  const email = canonicalAddress(report.email);
  const sendId = readSendId(report.sendIds);
  return {
    key,
    email,
    send: {
      ...sendId !== undefined && { sendId },
      ...providerId !== undefined && { providerId },
      isOnly,
      isRequired: aboutSendsOnly.has(name),
    },
    entry: dropMissing({
      name,
      external_id: externalId,
      occurred_at: asInstant(at),
      properties: dropMissing({ email, ...properties }),
    }),
  };
}

/** Reads the id of a send from a tag or a Message-ID; undefined if none contains one. */
function readSendId(texts: readonly unknown[]): string | undefined {
  for (const value of texts) {
    const id = asText(value)?.trim().replace(/^<?([^@]*)(?:@.*)?$/s, "$1") ?? "";
    if (anyCaseUuidForm.test(id)) return id.toLowerCase();
  }
  return undefined;
}
