import type { CallerSql } from "../../kernel/caller.ts";
import type { ReceiptDetail, ReceiptOutcome } from "../../contract/sources.ts";
import { orderByTime, type TimePageRequest } from "../../kernel/sorting.ts";
import type { SourceKey } from "./source_queries.ts";

/** Names of events that a receipt lists; its results have all. */
const mostEventNames = 5;

/** A webhook that a source received, as listed. */
export interface SourceReceipt {
  id: string;
  source_id: string;
  received_at: string;
  is_verified: boolean;
  outcome: ReceiptOutcome;
  status_code: number;
  error: string | null;
  message_id: string | null;
  body_bytes: number;
  accepted: number;
  duplicates: number;
  ignored: number;
  rejected: number;
  event_names: string[];
  problem: string | null;
  has_body: boolean;
  request_id: string;
}

/** A receipt with its body and its result. */
export interface SourceReceiptDetail extends SourceReceipt {
  headers: Record<string, string>;
  body: string | null;
  results: ReceiptDetail["results"];
}

export interface ReceiptFilter extends TimePageRequest, SourceKey {
  outcome?: ReceiptOutcome | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists the receipts of a source, newest first. */
export async function listReceipts(
  tx: CallerSql,
  filter: ReceiptFilter,
): Promise<SourceReceipt[]> {
  const { workspaceId, sourceId, outcome, since, until, limit, after, sort } = filter;
  const { start, by } = orderByTime(tx, { time: tx`r.received_at`, id: tx`r.id` }, { after, sort });
  return await tx<SourceReceipt[]>`
    select ${columns(tx)}
    from public.inbound_receipts as r
    where r.workspace_id = ${workspaceId} and r.source_id = ${sourceId}
      ${start}
      ${outcome === undefined ? tx`` : tx`and r.outcome = ${outcome}`}
      ${since === undefined ? tx`` : tx`and r.received_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and r.received_at < ${until}::text::timestamptz`}
    order by ${by}
    limit ${limit + 1}
  `;
}

/** Returns one receipt; the id contains its time and so selects the partition. */
export async function findReceipt(
  tx: CallerSql,
  { workspaceId, sourceId, receiptId }: SourceKey & { receiptId: string },
): Promise<SourceReceiptDetail | undefined> {
  const rows = await tx<SourceReceiptDetail[]>`
    select ${columns(tx)}, r.headers, r.body, r.results
    from public.inbound_receipts as r
    where r.workspace_id = ${workspaceId} and r.source_id = ${sourceId} and r.id = ${receiptId}
      and r.received_at = private.uuid_v7_time(${receiptId})
  `;
  return rows[0];
}

function columns(tx: CallerSql) {
  return tx`
    r.id, r.source_id, private.rfc3339(r.received_at) as received_at, r.is_verified, r.outcome,
    r.status_code, r.error, r.message_id, r.body_bytes, r.accepted, r.duplicates, r.ignored,
    r.rejected, r.request_id, r.body is not null as has_body,
    coalesce(
      jsonb_path_query_first(r.results, '$[*].error'),
      jsonb_path_query_first(r.results, '$[*].ignored')
    ) #>> '{}' as problem,
    to_jsonb(array(
      select e.result ->> 'name'
      from jsonb_array_elements(r.results) with ordinality as e (result, position)
      where e.result ->> 'name' is not null
      group by e.result ->> 'name'
      order by min(e.position)
      limit ${mostEventNames}
    )) as event_names
  `;
}
