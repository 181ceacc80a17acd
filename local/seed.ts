import postgres from "postgres";
import { scopes } from "../supabase/functions/_shared/access/auth.ts";
import { generateApiKey, hashApiKey } from "../supabase/functions/_shared/access/keys.ts";
import type { StackState } from "./state.ts";
import type { SupabaseApi } from "./platform/supabase_api.ts";

export interface SeedOptions {
  databaseUrl: string;
  baseUrl: string;
  api: SupabaseApi;
  state: StackState;
}

/** The state with what had to be made or replaced. */
export type SeededState = StackState & { workspace_id: string };

/** Makes sure that the demo user, its workspace, a sender and a live key with every scope are there. */
export async function seedDemo(options: SeedOptions): Promise<SeededState> {
  const sql = postgres(options.databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    const { id, ...user } = await ensureUser(sql, options);
    const workspaceId = await ensureWorkspace(sql, {
      userId: id,
      known: options.state.workspace_id,
    });
    await ensureSender(sql, workspaceId);
    const state = { ...options.state, user, workspace_id: workspaceId };
    return { ...state, api_key: await ensureKey(sql, { state, userId: id }) };
  } finally {
    await sql.end();
  }
}

async function ensureUser(
  sql: postgres.Sql,
  options: SeedOptions,
): Promise<StackState["user"] & { id: string }> {
  const { user } = options.state;
  const known = await callAuth("/token?grant_type=password", user, options);
  if (known.ok) return { ...user, id: (await known.json()).user.id };
  const [taken] = await sql`select from auth.users where email = ${user.email}`;
  // Somebody else's demo on a shared database: its password is not ours to change.
  const email = taken ? `demo-${crypto.randomUUID().slice(0, 8)}@example.com` : user.email;
  const made = await callAuth("/signup", { ...user, email }, options);
  if (!made.ok) throw new Error(`Cannot create the demo user: ${await made.text()}`);
  return { ...user, email, id: (await made.json()).user.id };
}

async function callAuth(
  path: string,
  credentials: { email: string; password: string },
  { api, baseUrl, state }: SeedOptions,
): Promise<Response> {
  const request = new Request(`${baseUrl}/auth/v1${path}`, {
    method: "POST",
    headers: { apikey: state.publishable_key, "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  return await api.fetch(request, "127.0.0.1");
}

/** The workspace that came with the user, made the demo's; or a new one where that is gone. */
async function ensureWorkspace(
  sql: postgres.Sql,
  { userId, known }: { userId: string; known: string | null },
): Promise<string> {
  // One that moved to another cell is still the demo's.
  const [moved] = await sql`
    select from private.directory where workspace_id = ${known} and user_id = ${userId}`;
  if (known !== null && moved) return known;
  const [found] = await sql<{ id: string }[]>`
    select m.workspace_id as id
    from public.workspace_members as m
    where m.user_id = ${userId} and m.role = 'owner'
    order by (m.workspace_id = ${known}) desc nulls last, m.created_at
    limit 1`;
  if (!found) return await createWorkspace(sql, userId);
  if (known === null) {
    await sql`
      update public.workspaces set name = 'Demo', plan_id = 'scale' where id = ${found.id}`;
  }
  return found.id;
}

/** A sender whose mails go to the inbox, unless the workspace has senders or moved to a cell. */
async function ensureSender(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.senders (workspace_id, key, name, provider, from_address)
    select w.id, 'inbox', 'Inbox', 'inbox', 'Demo <demo@example.com>'
    from public.workspaces as w
    where w.id = ${workspaceId}
      and not exists (select from public.senders as s where s.workspace_id = w.id)`;
}

async function createWorkspace(sql: postgres.Sql, userId: string): Promise<string> {
  const [made] = await sql<{ id: string }[]>`
    with workspace as (
      insert into public.workspaces (name, plan_id) values ('Demo', 'scale') returning id
    )
    insert into public.workspace_members (workspace_id, user_id, role)
    select id, ${userId}::uuid, 'owner' from workspace
    returning workspace_id as id`;
  if (!made) throw new Error("Cannot create the demo workspace: nothing was inserted");
  return made.id;
}

async function ensureKey(
  sql: postgres.Sql,
  { state, userId }: { state: SeededState; userId: string },
): Promise<string> {
  const hash = await hashApiKey(state.api_key);
  const [moved] = await sql`select from private.moved_addresses where address = ${hash}`;
  if (moved) return state.api_key;
  const [known] = await sql`
    select revoked_at is not null or coalesce(expires_at <= now(), false) as is_dead
    from private.api_keys where hash = ${hash}`;
  if (known && !known.is_dead) return state.api_key;
  const key = known ? (await generateApiKey()).key : state.api_key;
  await sql`
    insert into private.api_keys (hash, workspace_id, name, last_four, scopes, created_by)
    values (
      ${await hashApiKey(key)}, ${state.workspace_id}, 'Demo', ${key.slice(-4)},
      string_to_array(${scopes.join(" ")}, ' '), ${userId}
    )`;
  return key;
}
