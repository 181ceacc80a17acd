import type { HmacSettings } from "../_shared/sources/hmac.ts";
import type { Mapping } from "../_shared/sources/mapping.ts";
import type { Preset, Scheme } from "../_shared/sources/sources.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { CustomerWithEmail, MatchedSend, ReportedSend } from "../_shared/sources/prepare.ts";
import { type Rejection, toStorableText } from "../_shared/entries/rejected_entries.ts";

/** An enabled source with its live secrets, newest first and still encrypted. */
export interface InboundSourceRow {
  workspaceId: string;
  scheme: Scheme;
  hmac: HmacSettings | null;
  topicArn: string | null;
  preset: Preset | null;
  mapping: Mapping | null;
  secrets: readonly { ciphertext: string; expires_at: string | null }[];
}

/** Finds the enabled sources with these ids, in their order; undefined where there is none. */
export async function findInboundSources(
  sql: Sql,
  ids: readonly string[],
): Promise<(InboundSourceRow | undefined)[]> {
  const rows = await sql<(InboundSourceRow & { id: string })[]>`
    select s.source_id as id, s.workspace_id as "workspaceId", s.scheme, s.hmac, s.topic_arn as "topicArn", s.preset,
      s.mapping, s.secrets
    from private.find_inbound_sources(${`{${ids.join()}}`}::text::uuid[]) as s
  `;
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  return ids.map((id) => found.get(id));
}

export type ReceiptOutcome =
  | "accepted"
  | "duplicate"
  | "ignored"
  | "rejected"
  | "handshake"
  | "refused";

/** Result of one entry: stored, ignored for a reason, or refused for one. */
export interface ReceiptResult {
  name?: string;
  event_id?: string;
  customer_id?: string;
  duplicate?: true;
  ignored?: string;
  error?: string;
  field?: string;
}

/** Record of a received request, as the database stores it. */
export interface Receipt {
  workspace_id: string;
  source_id: string;
  received_at: string;
  is_verified: boolean;
  outcome: ReceiptOutcome;
  status_code: number;
  error: string | null;
  message_id: string | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  body_bytes: number;
  accepted: number;
  duplicates: number;
  ignored: number;
  rejected: number;
  results: readonly ReceiptResult[];
  /** Customers of all entries, including those that `results` omits. */
  customer_ids: readonly string[];
  request_id: string;
}

/** Stores a receipt and its rejected entries; returns the receipt's id. */
export async function recordReceipt(
  sql: Sql,
  receipt: Receipt,
  rejections: readonly Rejection[] = [],
): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    select private.record_receipt(${toStorableText(receipt)}, ${toStorableText(rejections)}) as id
  `;
  const row = rows[0];
  if (row === undefined) throw new Error("Cannot record receipt: no id was returned");
  return row.id;
}

/**
 * Claims a token for the message in this transaction; false if another message has it. A failed
 * transaction leaves the token free.
 */
export async function claimToken(
  tx: Sql,
  { workspaceId, sourceId, token }: { workspaceId: string; sourceId: string; token: string },
): Promise<boolean> {
  const rows = await tx<{ isClaimed: boolean }[]>`
    select private.claim_inbound_token(${workspaceId}, ${sourceId}, ${token}) as "isClaimed"
  `;
  return rows[0]?.isClaimed === true;
}

/** Finds the customers with these addresses, ignoring case; at most 20 per address. */
export async function findCustomersByEmail(
  sql: Sql,
  { workspaceId, emails }: { workspaceId: string; emails: readonly string[] },
): Promise<CustomerWithEmail[]> {
  return await sql<CustomerWithEmail[]>`
    select c.email, c.external_id as "externalId", c.anon_id as "anonId"
    from private.find_customers_by_email(
      ${workspaceId},
      array(select jsonb_array_elements_text(${JSON.stringify(emails)}::text::jsonb))
    ) as c
  `;
}

/** Finds the sends that reports of a provider are about; undefined where there is none. */
export async function findSends(
  sql: Sql,
  { workspaceId, reports }: { workspaceId: string; reports: readonly ReportedSend[] },
): Promise<(MatchedSend | undefined)[]> {
  const text = JSON.stringify(reports.map(({ sendId, providerId, email, isOnly }) => ({
    send_id: sendId,
    provider_id: providerId,
    email,
    is_only: isOnly,
  })));
  const rows = await sql<(MatchedSend & { entry: number })[]>`
    select s.entry, s.send_id as "sendId", s.external_id as "externalId", s.anon_id as "anonId", s.properties
    from private.find_sends(${workspaceId}, ${text}::text::jsonb) as s
  `;
  const found = new Map(rows.map(({ entry, ...row }) => [entry, row]));
  return reports.map((_, i) => found.get(i + 1));
}
