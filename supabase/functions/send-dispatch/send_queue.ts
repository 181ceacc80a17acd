import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import type { TemplateContents } from "../_shared/templates/render_template.ts";
import type { ProviderName } from "./providers/hand_over.ts";

/** Channel on which the database announces work without pg_net. */
export const workChannel = "send_dispatch";

/** The sender of a message, without its secrets. */
export interface SendSender {
  name: string;
  provider: ProviderName;
  from: string;
  reply_to: string | null;
  config: Record<string, unknown>;
  on_unknown: "stop" | "repeat";
  max_concurrency: number;
}

/** A message to be sent now, under a lease. */
export interface ClaimedSend {
  /** Token of the claim: results with it are void once the lease has expired. */
  claim: string;
  workspace_id: string;
  sender_id: string;
  send_id: string;
  /** 1-based. */
  attempt_number: number;
  /** Only a message has engagement. */
  purpose: "message" | "test" | "alert" | "invitation";
  is_marketing: boolean;
  /** Reason why the message cannot even be rendered; null if it can. */
  skip_reason: string | null;
  email: string | null;
  /** Null for a notice of the service. */
  template_id: string | null;
  template_version: number | null;
  is_strict: boolean | null;
  tracks_opens: boolean | null;
  tracks_clicks: boolean | null;
  data: Record<string, unknown>;
  /** As the api returns it; null for a test without one. */
  customer: Record<string, unknown> | null;
  workspace: { id: string; name: string };
  sender: SendSender;
  /** Secrets of the sender, encrypted. */
  ciphertext: string | null;
  /** Key of the workspace for links, in hexadecimal. */
  link_key: string;
}

/** A rendered message that is about to be handed over. */
export interface SendStart {
  workspace_id: string;
  sender_id: string;
  send_id: string;
  claim: string;
  email: string;
  template_version: number | null;
  message_id: string;
  facts: Record<string, unknown>;
  links: readonly string[];
}

/** The database's decision about a rendered message: see private.begin_sends. */
export interface SendDecision {
  send_id: string;
  decision: "go" | "skip" | "unknown" | "wait" | "release" | "settled" | "lost";
  reason: string | null;
  until: Date | null;
}

/** An attempt as the log of a send shows it. */
export interface SendAttempt {
  at: Date;
  outcome: "sent" | "retry" | "failed" | "unknown";
  reason: string | null;
  status_code: number | null;
  response: string | null;
  duration_ms: number | null;
}

/** Result of a claimed message. `release` is not an attempt. */
export interface SendResult {
  claim: string;
  workspace_id: string;
  sender_id: string;
  send_id: string;
  action: "sent" | "failed" | "skipped" | "unknown" | "retry" | "release";
  reason: string | null;
  provider_id: string | null;
  is_sender_failure: boolean;
  /** True if the provider said that the address does not exist. */
  is_hard_bounce: boolean;
  paused_until: Date | null;
  next_attempt_at: Date | null;
  attempt: SendAttempt | null;
  duration_ms: number | null;
  attempted_at: Date | null;
}

/** Time for the database to use; undefined for its own clock, as always outside tests. */
export type DatabaseTime = Date | undefined;

export interface ClaimOptions {
  /** Name of the worker. */
  worker: string;
  /** Approximate maximum of messages. */
  limit: number;
  leaseSeconds: number;
  /** Leaves out senders whose last attempt failed. @default false */
  isOnlyProven?: boolean;
  now?: DatabaseTime;
}

/** Claims due messages. */
export async function claimSends(
  sql: Sql,
  { worker, limit, leaseSeconds, isOnlyProven = false, now }: ClaimOptions,
): Promise<ClaimedSend[]> {
  const rows = await sql<ClaimedSend[]>`
    select * from private.claim_sends(
      ${worker}, ${limit}, make_interval(secs => ${leaseSeconds}), ${isOnlyProven},
      coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
    )
  `;
  return [...rows];
}

/**
 * Checks rendered messages and records that they are being handed over; returns the decisions in
 * the same order.
 */
export async function beginSends(
  sql: Sql,
  starts: readonly SendStart[],
  now?: DatabaseTime,
): Promise<SendDecision[]> {
  const batch = JSON.stringify(starts);
  const rows = await retryLostRaces(() =>
    sql<SendDecision[]>`
      select b.send_id, b.decision, b.reason, b.until
      from private.begin_sends(
        ${batch}, coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
      ) as b
    `
  );
  const bySend = new Map(rows.map((row) => [row.send_id, row]));
  return starts.map(({ send_id }) => bySend.get(send_id)!);
}

/**
 * Records results in one statement, in the order in which they ended. Safe to repeat. Returns the
 * number of ended claims; the others had expired.
 */
export async function completeSends(
  sql: Sql,
  results: readonly SendResult[],
  now?: DatabaseTime,
): Promise<number> {
  const batch = JSON.stringify(results.map((result, i) => ({ position: i + 1, ...result })));
  const rows = await retryLostRaces(() =>
    sql<{ ended: number }[]>`
      select private.complete_sends(
        ${batch}, coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
      ) as ended
    `
  );
  return rows[0]?.ended ?? 0;
}

/** Ends the claims of lost workers; returns how many. */
export async function expireSendClaims(sql: Sql, now?: DatabaseTime): Promise<number> {
  const rows = await retryLostRaces(() =>
    sql<{ expired: number }[]>`
      select private.expire_send_claims(
        p_now => coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
      ) as expired
    `
  );
  return rows[0]?.expired ?? 0;
}

/** Milliseconds until there is work, 0 or less if there is some now; null if none is known. */
export async function findNextSend(sql: Sql, now?: DatabaseTime): Promise<number | null> {
  const rows = await sql<{ ms: number | null }[]>`
    select (extract(epoch from private.next_send_at(n.now) - n.now) * 1000)::float8 as ms
    from (
      select coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()) as now
    ) as n
  `;
  return rows[0]?.ms ?? null;
}

/** Wakes the next worker if there is work for one now; the caller stops looking for work. */
export async function passOnSends(sql: Sql, now?: DatabaseTime): Promise<void> {
  await sql`
    select private.wake_sends_if_due(
      coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()), true
    )
  `;
}

/** Announces that the caller looks for work for this time, and once more a second later. */
export async function watchSends(sql: Sql, ms: number): Promise<void> {
  await sql`select private.watch_sends(${Math.round(ms)} * interval '1 millisecond')`;
}

/** A version of a template. */
export interface TemplateRef {
  workspace_id: string;
  template_id: string;
  version: number;
}

/** Reads contents of templates, in the order of the references; undefined for deleted ones. */
export async function readTemplates(
  sql: Sql,
  refs: readonly TemplateRef[],
): Promise<(TemplateContents | undefined)[]> {
  const rows = await sql<(TemplateRef & TemplateContents)[]>`
    select * from private.read_send_templates(${JSON.stringify(refs)})
  `;
  const found = new Map(
    rows.map(({ subject, html, text, ...ref }) => [nameTemplate(ref), { subject, html, text }]),
  );
  return refs.map((ref) => found.get(nameTemplate(ref)));
}

/** Returns a key that differs between versions of templates. */
export function nameTemplate({ workspace_id, template_id, version }: TemplateRef): string {
  return `${workspace_id} ${template_id} ${version}`;
}
