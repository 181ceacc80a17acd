import assert from "node:assert/strict";
import type postgres from "postgres";
import { createWorker, type Worker } from "../../testing/data/queue.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";

/** A queue with a dispatcher's worker, and the api in front of it. */
export interface MessagesWorld extends AsyncDisposable {
  dispatch: DispatchWorld;
  api: ApiWorld;
  sql: postgres.Sql;
  worker: Worker;
  /** May read and change messages and destinations. */
  token: string;
}

/** Creates a workspace without destinations. */
export async function createMessagesWorld(): Promise<MessagesWorld> {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { db, sql, workspaceId } = dispatch;
  const api = stack.use(await createApiWorld({ db, now: () => dispatch.clock.now }));
  const token = await api.createKey(
    ["deliveries:read", "deliveries:write", "destinations:read", "destinations:write"],
    workspaceId,
  );
  const worker = createWorker(dispatch);
  const kept = stack.move();
  return { dispatch, api, sql, worker, token, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Calls the api with the world's key; returns the body. */
export async function read({ api, token }: MessagesWorld, path: string) {
  const response = await api.send({ path, token });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

/** A row of the list of messages. */
export interface ListedRow {
  id: string;
  destination_id: string;
  event_type: string;
  customer_id: string | null;
  customer_name: string | null;
  created_at: string;
  state: string;
}

/** Lists all pages; returns their rows, and how many rows each page had. */
export async function readPages(
  world: MessagesWorld,
  query: Record<string, string>,
): Promise<{ rows: ListedRow[]; sizes: number[] }> {
  const rows: ListedRow[] = [];
  const sizes: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const search = new URLSearchParams({ ...query, ...cursor === "" ? {} : { cursor } });
    const page: { data: ListedRow[]; next_cursor: string | null } = await read(
      world,
      `/messages?${search}`,
    );
    rows.push(...page.data);
    sizes.push(page.data.length);
    cursor = page.next_cursor;
  }
  return { rows, sizes };
}

/** Publishes one message about each of these customers, all at once; returns their ids. */
export async function publishAbout(
  { dispatch: { sql, workspaceId, clock } }: MessagesWorld,
  eventType: string,
  customerIds: readonly (string | null)[],
): Promise<string[]> {
  clock.advance(1_000);
  const [row] = await sql<{ ids: string[] }[]>`
    select to_jsonb(private.publish_messages(
      array(
        select
          row(${workspaceId}::uuid, ${eventType}::text, '{}', c.id::uuid, null)::private.new_message
        from jsonb_array_elements_text(${JSON.stringify(customerIds)}::text::jsonb) as c (id)
      ),
      ${clock.now}
    )) as ids`;
  return row!.ids;
}
