import type { CallerSql } from "../../kernel/caller.ts";
import type { Provider } from "../../contract/senders.ts";
import type { senderHealthStates } from "../../contract/senders.ts";
import { outboundLimits } from "../../contract/limits.ts";
import { isUuid } from "../../contract/resource_names.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";
import type { Use } from "../../kernel/uses.ts";

/** A sender as the api returns it. */
export interface Sender {
  id: string;
  key: string | null;
  name: string;
  provider: Provider;
  from: string;
  reply_to: string | null;
  config: Record<string, unknown>;
  rate_per_second: number | null;
  max_concurrency: number;
  on_unknown: "stop" | "repeat";
  enabled: boolean;
  disabled_by: "member" | "key" | "service" | "operator" | null;
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  health: {
    state: (typeof senderHealthStates)[number];
    pending: number;
    next_attempt_at: string | null;
    ok_24h: number;
    failed_24h: number;
    bounce_rate_24h: number | null;
    complaint_rate_24h: number | null;
    last_success_at: string | null;
    last_failure_at: string | null;
    last_error: string | null;
  };
  rate_allowed: number | null;
  rate_reached: number;
  limited_by: string | null;
  used_by: Use[];
}

export interface SenderName {
  workspaceId: string;
  /** Id or key. */
  name: string;
}

/** Lists senders, newest first. */
export async function listSenders(
  tx: CallerSql,
  { workspaceId, limit, after, sort }: NamePageRequest & { workspaceId: string },
): Promise<Sender[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`s.id`, name: tx`s.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Sender[]>`
    with found as materialized (
      select s.*
      from public.senders as s
      where s.workspace_id = ${workspaceId} ${start}
      order by ${by}
      limit ${limit + 1}
    )
    ${selectSenders(tx, workspaceId)}
    order by ${shown}
  `;
}

/** Returns one sender, or undefined if the caller cannot see it. */
export async function findSender(tx: CallerSql, sender: SenderName): Promise<Sender | undefined> {
  const rows = await tx<Sender[]>`
    with found as materialized (
      select s.* from public.senders as s where ${isNamed(tx, sender)}
    )
    ${selectSenders(tx, sender.workspaceId)}
  `;
  return rows[0];
}

/** Returns the id of a sender, or undefined if the caller cannot see it. */
export async function findSenderId(
  tx: CallerSql,
  sender: SenderName,
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    select s.id from public.senders as s where ${isNamed(tx, sender)}
  `;
  return rows[0]?.id;
}

function isNamed(tx: CallerSql, { workspaceId, name }: SenderName) {
  return isUuid(name)
    ? tx`s.workspace_id = ${workspaceId} and s.id = ${name}`
    : tx`s.workspace_id = ${workspaceId} and s.key = ${name}`;
}

function selectSenders(tx: CallerSql, workspaceId: string) {
  return tx`
    select
      f.id, f.key, f.name, f.provider, f.from_address as "from", f.reply_to, f.config,
      f.rate_per_second, f.max_concurrency, f.on_unknown, f.enabled, f.disabled_by,
      f.disabled_reason, private.rfc3339(f.created_at) as created_at,
      private.rfc3339(f.updated_at) as updated_at,
      jsonb_build_object(
        'state', coalesce(h.state, 'unused'),
        'pending', coalesce(h.pending, 0),
        'next_attempt_at', private.rfc3339(h.next_attempt_at),
        'ok_24h', coalesce(h.ok_24h, 0),
        'failed_24h', coalesce(h.failed_24h, 0),
        'bounce_rate_24h', round(h.bounce_rate_24h::numeric, 2),
        'complaint_rate_24h', round(h.complaint_rate_24h::numeric, 2),
        'last_success_at', private.rfc3339(h.last_success_at),
        'last_failure_at', private.rfc3339(h.last_failure_at),
        'last_error', h.last_error
      ) as health,
      h.rate_allowed::double precision as rate_allowed,
      coalesce(h.rate_reached, 0)::double precision as rate_reached, h.limited_by,
      coalesce(u.used_by, '[]') as used_by
    from found as f
    left join private.list_uses(${workspaceId}, 'sender', array(select id from found)) as u
      on u.id = f.id
    left join private.sender_health(${workspaceId}, array(select id from found)) as h
      on h.sender_id = f.id
  `;
}

/** Columns that callers write; an omitted one keeps its value. */
export interface SenderFields {
  key?: string | null | undefined;
  name?: string | undefined;
  provider?: Provider | undefined;
  from?: string | undefined;
  reply_to?: string | null | undefined;
  config?: Record<string, unknown> | undefined;
  rate_per_second?: number | null | undefined;
  max_concurrency?: number | undefined;
  on_unknown?: "stop" | "repeat" | undefined;
  enabled?: boolean | undefined;
}

/** Creates a sender; false if its key is in use. */
export async function insertSender(
  tx: CallerSql,
  { workspaceId, senderId, fields }: {
    workspaceId: string;
    senderId: string;
    fields: SenderFields;
  },
): Promise<boolean> {
  const inserted = await tx`
    insert into public.senders (
      workspace_id, id, key, name, provider, from_address, reply_to, config, rate_per_second,
      max_concurrency, on_unknown, enabled
    )
    select
      ${workspaceId}, ${senderId}, f.key, f.name, f.provider, f."from", f.reply_to, f.config,
      f.rate_per_second, coalesce(f.max_concurrency, ${outboundLimits.defaultConcurrency}),
      coalesce(f.on_unknown, 'stop'), coalesce(f.enabled, true)
    from ${fieldsRecord(tx, fields)} as f
    on conflict (workspace_id, key) do nothing
  `;
  return inserted.count > 0;
}

/** Changes the given columns; false if the sender does not exist. */
export async function changeSender(
  tx: CallerSql,
  { workspaceId, senderId, fields }: {
    workspaceId: string;
    senderId: string;
    fields: SenderFields;
  },
): Promise<boolean> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const names = new Set(given.map(([name]) => name));
  const keep = (column: string, name = column) => {
    return names.has(name) ? tx`f.${tx(name)}` : tx`s.${tx(column)}`;
  };
  const updated = await tx`
    update public.senders as s
    set
      key = ${keep("key")}, name = ${keep("name")}, provider = ${keep("provider")},
      from_address = ${keep("from_address", "from")}, reply_to = ${keep("reply_to")},
      config = ${keep("config")}, rate_per_second = ${keep("rate_per_second")},
      max_concurrency = ${keep("max_concurrency")}, on_unknown = ${keep("on_unknown")},
      enabled = ${keep("enabled")}
    from ${fieldsRecord(tx, fields)} as f
    where s.workspace_id = ${workspaceId} and s.id = ${senderId}
  `;
  return updated.count > 0;
}

function fieldsRecord(tx: CallerSql, fields: SenderFields) {
  return tx`
    (
      select r.*
      from jsonb_to_record(${JSON.stringify(fields)}::text::jsonb) as r (
        key text, name text, provider text, "from" text, reply_to text, config jsonb,
        rate_per_second integer, max_concurrency integer, on_unknown text, enabled boolean
      )
    )
  `;
}

/** Replaces the secret of a sender; null removes it. Returns whether there was anything to do. */
export async function writeSecret(
  tx: CallerSql,
  { workspaceId, senderId, ciphertext }: {
    workspaceId: string;
    senderId: string;
    ciphertext: string | null;
  },
): Promise<boolean> {
  if (ciphertext === null) {
    const removed = await tx`
      delete from private.sender_secrets as s
      where s.workspace_id = ${workspaceId} and s.sender_id = ${senderId}
    `;
    return removed.count > 0;
  }
  const updated = await tx`
    update private.sender_secrets as s set ciphertext = ${ciphertext}
    where s.workspace_id = ${workspaceId} and s.sender_id = ${senderId}
  `;
  if (updated.count > 0) return true;
  await tx`
    insert into private.sender_secrets (workspace_id, sender_id, ciphertext)
    values (${workspaceId}, ${senderId}, ${ciphertext})
  `;
  return true;
}

/** Moves the time of the last change of a sender, whose secret is in another table. */
export async function touchSender(
  tx: CallerSql,
  { workspaceId, senderId }: { workspaceId: string; senderId: string },
): Promise<void> {
  await tx`
    update public.senders as s set updated_at = clock_timestamp()
    where s.workspace_id = ${workspaceId} and s.id = ${senderId}
  `;
}

/**
 * Deletes a sender with its secret; returns its id and name, undefined without one.
 *
 * @throws {Error} SP409 while a campaign needs it.
 */
export async function removeSender(
  tx: CallerSql,
  sender: SenderName,
): Promise<{ id: string; name: string } | undefined> {
  await tx`
    select private.refuse_used_sender(s.workspace_id, s.id)
    from public.senders as s
    where ${isNamed(tx, sender)}
  `;
  const rows = await tx<{ id: string; name: string }[]>`
    delete from public.senders as s where ${isNamed(tx, sender)} returning s.id, s.name
  `;
  return rows[0];
}
