import { notice } from "../../../_shared/templates/notice.ts";
import type { TemplateContents } from "../../../_shared/templates/render_template.ts";
import type { engagements, sendPurposes, sendStates } from "../../contract/sends.ts";
import { isUuid } from "../../contract/resource_names.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { type OneValue, orderByTime, type TimePageRequest } from "../../kernel/sorting.ts";

export type SendState = (typeof sendStates)[number];
export type Engagement = (typeof engagements)[number];

/** A send as lists of the api return it. */
export interface SendSummary {
  id: string;
  key: null;
  state: SendState;
  reason: string | null;
  customer_id: string | null;
  customer_name: string | null;
  email: string | null;
  template: { id: string; version: number | null } | null;
  sender: string;
  topic: string | null;
  campaign_id: string | null;
  journey_id: string | null;
  run_id: string | null;
  purpose: (typeof sendPurposes)[number];
  is_test: boolean;
  feedback: "delivered" | "soft_bounced" | "bounced" | "complained" | null;
  feedback_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
  unsubscribed_at: string | null;
  queued_at: string;
  sent_at: string | null;
  finished_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A send with the last answer of its provider. */
export interface AnsweredSend extends SendSummary {
  feedback_reason: string | null;
  response: string | null;
}

export interface SendFilter extends TimePageRequest {
  workspaceId: string;
  customer_id?: string | undefined;
  campaign_id?: string | undefined;
  journey_id?: string | undefined;
  template_id?: string | undefined;
  sender_id?: string | undefined;
  state?: SendState | undefined;
  engagement?: Engagement | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Leaves out tests, which are rendered for a customer, but go to somebody else. */
  onlyMessages?: boolean;
}

/** Lists sends, newest first. */
export function listSends(tx: CallerSql, filter: SendFilter): Promise<SendSummary[]> {
  return selectSends<SendSummary>(tx, filter, summaryColumns(tx));
}

/** Lists sends with the answers of their providers, newest first. */
export function listAnsweredSends(tx: CallerSql, filter: SendFilter): Promise<AnsweredSend[]> {
  const columns = tx`
    ${summaryColumns(tx)}, s.feedback_reason, s.attempts -> -1 ->> 'response' as response
  `;
  return selectSends<AnsweredSend>(tx, filter, columns);
}

async function selectSends<Row extends object>(
  tx: CallerSql,
  filter: SendFilter,
  columns: ReturnType<typeof summaryColumns>,
): Promise<Row[]> {
  const { workspaceId, since, until, limit, after, sort } = filter;
  const of = isOnlyEngagement(filter) ? feedbackOf(tx, filter.engagement) : undefined;
  const { start, by } = orderByTime(
    tx,
    { time: tx`s.queued_at`, id: tx`s.id`, of },
    { after, sort },
  );
  const matches = (
    column: "customer_id" | "campaign_id" | "journey_id" | "template_id" | "sender_id" | "state",
  ) => filter[column] === undefined ? tx`` : tx`and s.${tx(column)} = ${filter[column]}`;
  return await tx<Row[]>`
    with found as materialized (
      select s.*
      from public.sends as s
      where s.workspace_id = ${workspaceId}
        ${start}
        ${matches("customer_id")} ${matches("campaign_id")} ${matches("journey_id")}
        ${matches("template_id")} ${matches("sender_id")} ${matches("state")}
        ${of === undefined ? matchEngagement(tx, filter.engagement) : tx``}
        ${since === undefined ? tx`` : tx`and s.queued_at >= ${since}::text::timestamptz`}
        ${until === undefined ? tx`` : tx`and s.queued_at < ${until}::text::timestamptz`}
        ${filter.onlyMessages ? tx`and s.purpose = 'message'` : tx``}
      order by ${by}
      limit ${limit + 1}
    )
    select ${columns}
    from found as s
    ${customerNames(tx, workspaceId)}
    order by ${by}
  `;
}

/** Returns true if no other filter has an index of its own, which may find fewer sends. */
function isOnlyEngagement(filter: SendFilter): boolean {
  const { customer_id, campaign_id, journey_id, template_id, sender_id, state } = filter;
  return [customer_id, campaign_id, journey_id, template_id, sender_id, state]
    .every((value) => value === undefined);
}

/** Makes the condition of an engagement. Each has an index. */
function matchEngagement(tx: CallerSql, engagement: Engagement | undefined) {
  if (engagement === undefined) return tx``;
  const feedback = feedbackOf(tx, engagement);
  return feedback
    ? tx`and ${feedback.column} = ${feedback.value}`
    : tx`and s.${tx(`${engagement}_at`)} is not null`;
}

/** Returns what a provider reported for an engagement; undefined for what a recipient does. */
function feedbackOf(tx: CallerSql, engagement: Engagement | undefined): OneValue | undefined {
  switch (engagement) {
    case undefined:
    case "opened":
    case "clicked":
    case "unsubscribed":
      return undefined;
    default:
      return { column: tx`s.feedback`, value: engagement };
  }
}

/** A send with what the provider said to each attempt, and the names of what it is about. */
export interface Send extends SendSummary {
  template_name: string | null;
  sender_name: string | null;
  campaign_name: string | null;
  journey_name: string | null;
  message_id: string | null;
  provider_id: string | null;
  feedback_reason: string | null;
  attempts: Record<string, unknown>[];
  next_attempt_at: string | null;
}

export interface SendKey {
  workspaceId: string;
  sendId: string;
}

/** Returns one send, or undefined if the caller cannot see it. */
export async function findSend(
  tx: CallerSql,
  { workspaceId, sendId }: SendKey,
): Promise<Send | undefined> {
  const named = (table: string, id: string) =>
    tx`
    (
      select o.name from public.${tx(table)} as o
      where o.workspace_id = s.workspace_id and o.id = s.${tx(id)}
    ) as ${tx(id.replace("_id", "_name"))}
  `;
  const rows = await tx<Send[]>`
    with found as materialized (
      select s.*
      from public.sends as s
      where s.workspace_id = ${workspaceId}
        and s.queued_at = private.uuid_v7_time(${sendId}::uuid) and s.id = ${sendId}
    )
    select
      ${summaryColumns(tx)}, s.message_id, s.provider_id, s.feedback_reason, s.attempts,
      private.rfc3339(private.next_attempt_at(s.workspace_id, s.sender_id, s.id))
        as next_attempt_at,
      ${named("templates", "template_id")}, ${named("senders", "sender_id")},
      ${named("campaigns", "campaign_id")}, ${named("journeys", "journey_id")}
    from found as s
    ${customerNames(tx, workspaceId)}
  `;
  return rows[0];
}

/** Joins the names of the customers of the sends that were found. */
function customerNames(tx: CallerSql, workspaceId: string) {
  return tx`
    left join private.customer_names(${workspaceId}, array(select customer_id from found)) as n
      on n.customer_id = s.customer_id
  `;
}

function summaryColumns(tx: CallerSql) {
  return tx`
    s.id, null as key, s.state, s.reason, s.customer_id, n.name as customer_name, s.email,
    case
      when s.template_id is not null
      then jsonb_build_object('id', s.template_id, 'version', s.template_version)
    end as template,
    s.sender_id as sender, s.topic_id as topic, s.campaign_id, s.journey_id, s.run_id, s.purpose,
    s.purpose = 'test' as is_test, s.feedback, private.rfc3339(s.feedback_at) as feedback_at,
    private.rfc3339(s.opened_at) as opened_at, private.rfc3339(s.clicked_at) as clicked_at,
    private.rfc3339(s.unsubscribed_at) as unsubscribed_at,
    private.rfc3339(s.queued_at) as queued_at, private.rfc3339(s.sent_at) as sent_at,
    private.rfc3339(s.finished_at) as finished_at, private.rfc3339(s.queued_at) as created_at,
    private.rfc3339(greatest(
      s.queued_at, s.sent_at, s.finished_at, s.feedback_at, s.opened_at, s.clicked_at,
      s.unsubscribed_at
    )) as updated_at
  `;
}

/** The version of a template, or the notice, that a send was rendered from, with its variables. */
export interface SendContents extends TemplateContents {
  strict: boolean;
  data: Record<string, unknown>;
  facts: Record<string, unknown>;
}

/** Returns what a send was rendered from; undefined before that, or without the template. */
export async function findContents(
  tx: CallerSql,
  { workspaceId, sendId }: SendKey,
): Promise<SendContents | undefined> {
  const [row] = await tx<(Omit<SendContents, "subject"> & { subject: string | null })[]>`
    select c.subject, c.html, c.text, c.strict, c.data, c.facts
    from private.send_contents(${workspaceId}, ${sendId}) as c
  `;
  if (row === undefined) return undefined;
  const { subject } = row;
  return subject === null ? { ...row, ...notice } : { ...row, subject };
}

/** Names of what a new send refers to: ids or keys. */
export interface SendNames {
  template: string;
  sender: string;
  topic?: string | null | undefined;
  customer_id?: string | undefined;
  external_id?: string | undefined;
}

/** Ids of what a new send refers to; null for each that does not exist. */
export interface ResolvedSend {
  template_id: string | null;
  has_unsubscribe: boolean | null;
  sender_id: string | null;
  topic_id: string | null;
  customer_id: string | null;
}

/** Resolves the names of a new send. */
export async function resolveSend(
  tx: CallerSql,
  { workspaceId, names }: { workspaceId: string; names: SendNames },
): Promise<ResolvedSend> {
  const { template, sender, topic, customer_id, external_id } = names;
  const named = {
    ...nameOf("template", template),
    ...nameOf("sender", sender),
    ...(topic ? nameOf("topic", topic) : {}),
    customer_id,
    external_id,
  };
  const rows = await tx<ResolvedSend[]>`
    select r.template_id, r.has_unsubscribe, r.sender_id, r.topic_id, r.customer_id
    from private.resolve_send(${workspaceId}, ${JSON.stringify(named)}::text::jsonb) as r
  `;
  return rows[0]!;
}

function nameOf(noun: string, name: string): Record<string, string> {
  return isUuid(name) ? { [`${noun}_id`]: name } : { [`${noun}_key`]: name };
}

export interface RequestedSend {
  template_id: string;
  sender_id: string;
  topic_id: string | null;
  customer_id: string;
  /** The address of a test; null for a message to the customer. */
  to: string | null;
  data: Readonly<Record<string, unknown>>;
  /** Null: each call creates a send. */
  key: string | null;
}

/** Creates a send; returns its id, or that of the earlier send with the same key. */
export async function requestSend(
  tx: CallerSql,
  { workspaceId, send, now }: { workspaceId: string; send: RequestedSend; now: Date },
): Promise<{ send_id: string; is_new: boolean }> {
  const rows = await tx<{ send_id: string; is_new: boolean }[]>`
    select r.send_id, r.is_new
    from private.request_send(
      ${workspaceId}, ${JSON.stringify(send)}::text::jsonb, ${now.toISOString()}::text::timestamptz
    ) as r
  `;
  return rows[0]!;
}

/** Facts that decide now about messages to a customer. */
export interface SendFacts {
  email: string | null;
  suppression: { reason: string; until: string | null } | null;
  topics: { id: string; name: string; subscribed: boolean }[];
  caps: { max: number; per: string; used: number }[];
  quiet_until: string | null;
  stopped_at: string | null;
}

/** Reads what decides about messages to a customer; undefined if the customer does not exist. */
export async function readSendFacts(
  tx: CallerSql,
  { workspaceId, customerId, topicIds }: {
    workspaceId: string;
    customerId: string;
    topicIds: readonly string[];
  },
): Promise<SendFacts | undefined> {
  const rows = await tx<{ facts: SendFacts | null }[]>`
    select private.explain_sends(
      ${workspaceId}, ${customerId},
      array(select jsonb_array_elements_text(${JSON.stringify(topicIds)}::text::jsonb)::uuid)
    ) as facts
  `;
  return rows[0]?.facts ?? undefined;
}

/** The state of a customer in a campaign. */
export interface CampaignEntry {
  /** The topic of the campaign. */
  topic_id: string | null;
  sender_id: string | null;
  campaign_state: string;
  recipient: boolean;
  state: string | null;
  reason: string | null;
  due_at: string | null;
  has_begun: boolean;
  /** Name of the segment of the campaign, if the customer was not in it. */
  segment: string | null;
  /** Name of a segment that the campaign excludes and the customer was in. */
  excluded_by: string | null;
  /** Name of a segment of the campaign whose members at its beginning are unknown. */
  computed_again: string | null;
  /** True if a recipient has the address of the customer, who is not one. */
  shares_address: boolean;
}

/** Returns the state of a customer in a campaign; null if the campaign does not exist. */
export async function readCampaignEntry(
  tx: CallerSql,
  { workspaceId, campaignId, customerId }: {
    workspaceId: string;
    campaignId: string;
    customerId: string;
  },
): Promise<CampaignEntry | null> {
  const rows = await tx<{ entry: CampaignEntry | null }[]>`
    select private.explain_recipient(${workspaceId}, ${campaignId}, ${customerId}) as entry
  `;
  return rows[0]!.entry;
}
