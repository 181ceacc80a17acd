import type postgres from "postgres";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";

/** Message that a test takes to be sent. */
export interface SentMessage {
  /** @default a customer of its own, with this external id */
  externalId?: string;
  email?: string;
  topicId?: string | null;
  links?: readonly string[];
  state?: "queued" | "sending" | "sent" | "failed" | "skipped" | "unknown";
  providerId?: string | null;
  /** Time of the hand-over. @default an hour before now */
  sentAt?: Date;
  purpose?: "message" | "test";
}

/** A customer with an address, and a message that was sent to it; returns the id of the send. */
export async function createSentMessage(
  sql: postgres.Sql,
  workspaceId: string,
  message: SentMessage = {},
): Promise<string> {
  const { externalId = "ada", email = "ada@example.com", topicId = null, links = [] } = message;
  const { state = "sent", providerId = null, purpose = "message" } = message;
  const { sentAt = new Date(Date.now() - 3_600_000) } = message;
  const entry = { workspace_id: workspaceId, kind: "identify", external_id: externalId };
  await sql`select private.ingest(${JSON.stringify([{ ...entry, profile: { email } }])})`;
  const id = createUuidV7(sentAt);
  const at = state === "sent" ? sentAt.toISOString() : null;
  await sql`
    insert into public.sends (
      workspace_id, queued_at, id, state, customer_id, email, address_hash, sender_id, topic_id,
      links, provider_id, sent_at, purpose
    )
    select
      ${workspaceId}, private.uuid_v7_time(${id}), ${id}, ${state}, i.customer_id, ${email},
      private.address_hash(${workspaceId}, 'email', ${email}), gen_random_uuid(), ${topicId},
      array(select jsonb_array_elements_text(${
    sql.json([...links])
  })), ${providerId}, ${at}, ${purpose}
    from public.identities as i
    where i.workspace_id = ${workspaceId} and i.kind = 'external' and i.value = ${externalId}`;
  return id;
}

/** State of a send. */
export interface SendState {
  state: string;
  reason: string | null;
  feedback: string | null;
  opened: boolean;
  clicked: boolean;
  unsubscribed: boolean;
}

/** Reads the state of a send. */
export async function readSendState(sql: postgres.Sql, id: string): Promise<SendState> {
  const [row] = await sql<SendState[]>`
    select
      state, reason, feedback, opened_at is not null as opened, clicked_at is not null as clicked,
      unsubscribed_at is not null as unsubscribed
    from public.sends where id = ${id}`;
  return { ...row! };
}

/** Events of a workspace as `name` and the properties asked for, oldest first. */
export async function readEngagements(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<{ name: string; externalId: string | null; properties: Record<string, unknown> }[]> {
  const rows = await sql<
    { name: string; externalId: string | null; properties: Record<string, unknown> }[]
  >`
    select name, external_id as "externalId", properties from public.events
    where workspace_id = ${workspaceId} and kind = 'event' order by received_at, id`;
  return rows.map((row) => ({ ...row }));
}
