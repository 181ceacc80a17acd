import { Buffer } from "node:buffer";
import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import type { LinkTarget } from "../_shared/links/link_token.ts";
import type { TopicState } from "../_shared/links/page_view.ts";

/** Preferences of the recipient of a send. */
export interface Preferences {
  /** Name of the workspace. */
  workspace: string;
  /** Locale of the customer, such as `pt-BR`. */
  locale: string | null;
  /** Topic of the send; null if it is transactional. */
  topic_id: string | null;
  topics: readonly TopicState[];
}

/** Choice of the recipient about a topic; a null id withdraws everything. */
export interface PreferenceChange {
  topic_id: string | null;
  subscribed: boolean;
}

/**
 * Finds the keys that verify links of workspaces, in order, each with the newest first; undefined
 * for an unknown workspace.
 */
export async function findLinkKeys(
  sql: Sql,
  workspaceIds: readonly string[],
): Promise<(readonly Uint8Array[] | undefined)[]> {
  const rows = await sql<{ id: string; key: string }[]>`
    select k.workspace_id as id, encode(k.key, 'hex') as key
    from private.link_keys(${`{${workspaceIds.join()}}`}::text::uuid[]) as k
  `;
  const found = Map.groupBy(rows, ({ id }) => id);
  const read = ({ key }: { key: string }) => new Uint8Array(Buffer.from(key, "hex"));
  return workspaceIds.map((id) => found.get(id)?.map(read));
}

/** Finds where a click leads; undefined if the send is gone. */
export async function findLinkUrl(
  sql: Sql,
  { workspaceId, sendId, index }: LinkTarget,
): Promise<string | undefined> {
  const rows = await sql<{ url: string | null }[]>`
    select private.find_link_url(${workspaceId}, ${sendId}, ${index}) as url
  `;
  return rows[0]?.url ?? undefined;
}

/** Records an open or a click, in one transaction. */
export async function recordVisit(
  sql: Sql,
  { workspaceId, sendId, index, kind }: LinkTarget,
  { isAutomated, at }: { isAutomated: boolean; at: Date },
): Promise<void> {
  const position = kind === "click" ? index : null;
  await retryLostRaces(async () =>
    await sql`
      select private.record_visit(
        ${workspaceId}, ${sendId}, ${position}, ${isAutomated}, ${at.toISOString()}
      )
    `
  );
}

/** Finds what the page of a send shows; undefined if the send is gone. */
export async function findPreferences(
  sql: Sql,
  { workspaceId, sendId }: LinkTarget,
): Promise<Preferences | undefined> {
  const rows = await sql<{ found: Preferences | null }[]>`
    select private.find_preferences(${workspaceId}, ${sendId}) as found
  `;
  return rows[0]?.found ?? undefined;
}

/**
 * Records the choice of a send's recipient; null withdraws the topic of the send. Returns false if
 * the send is gone.
 */
export async function setPreferences(
  sql: Sql,
  { workspaceId, sendId }: LinkTarget,
  { changes, at }: { changes: readonly PreferenceChange[] | null; at: Date },
): Promise<boolean> {
  const text = changes === null ? null : JSON.stringify(changes);
  const rows = await retryLostRaces(async () =>
    await sql<{ isSet: boolean }[]>`
      select private.set_preferences(
        ${workspaceId}, ${sendId}, ${text}::text::jsonb, ${at.toISOString()}
      ) as "isSet"
    `
  );
  return rows[0]?.isSet === true;
}
