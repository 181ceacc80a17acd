import { members, none } from "./actors.ts";
import { campaignLookups } from "./campaign_access.ts";
import { exploreLookups } from "./explore_access.ts";
import { journeyLookups } from "./journey_access.ts";
import type { Write } from "./write.ts";

const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const segmentReaders = members("segments:read", "segments:write");
const everybody = '{"field": "created_at", "op": "exists"}';

/** Functions that show something of a workspace: what each shows to whom. */
export const lookups: readonly Write[] = [
  ...journeyLookups,
  ...campaignLookups,
  ...exploreLookups,
  {
    title: "a destination by its name",
    statement: ({ workspaceId }) =>
      `select from private.search('${workspaceId}', 'ware') as h where h.type = 'destination'`,
    right: members("destinations:read", "destinations:write"),
  },
  {
    title: "customers as the api shows them",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_documents('${workspaceId}', '{${customerId}}')`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "ids of a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.newest_ids('${workspaceId}', '${customerId}', 'external') as ids
       where ids <> '[]'`,
    right: members("customers:read", "customers:write", "events:read", "deliveries:read"),
  },
  {
    title: "how many ids a customer has",
    statement: ({ workspaceId, customerId }) =>
      `select from private.count_ids('${workspaceId}', '${customerId}', 'external') as ids
       where ids > 0`,
    right: members("customers:read", "customers:write", "events:read", "deliveries:read"),
  },
  {
    title: "messages of a workspace",
    statement: ({ workspaceId }) =>
      `select from private.list_messages('${workspaceId}', row(null, null, null, null,
         '00000000-0000-0000-0000-000000000000', '-infinity'),
         row('${lastUuid}', '${lastUuid}', 'infinity'), 10)`,
    right: members("deliveries:read", "deliveries:write"),
  },
  {
    title: "what happens to a message",
    statement: ({ workspaceId, messageId }) =>
      `select from private.read_message_states('${workspaceId}', '${messageId}')`,
    right: members("deliveries:read", "deliveries:write"),
  },
  {
    title: "customers of messages",
    statement: ({ workspaceId, customerId }) =>
      `select from private.message_customers('${workspaceId}', '{${customerId}}')`,
    right: members("deliveries:read", "deliveries:write"),
  },
  {
    title: "topics of a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_topics('${workspaceId}', '${customerId}')`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "the suppression of an address",
    statement: ({ workspaceId }) =>
      `select from private.find_suppression('${workspaceId}', 'grace@example.com') as id
       where id is not null`,
    right: members("suppressions:read", "suppressions:write"),
  },
  {
    title: "what a message was rendered from",
    statement: ({ workspaceId, sendId }) =>
      `select from private.send_contents('${workspaceId}', '${sendId}')`,
    right: members("sends:read", "sends:write"),
  },
  {
    title: "when a message that waits is tried next",
    statement: ({ workspaceId, senderId, sendId }) =>
      `select from private.next_attempt_at('${workspaceId}', '${senderId}', '${sendId}') as at
       where at is not null`,
    right: members("sends:read", "sends:write"),
  },
  {
    title: "what decides about messages to a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.explain_sends('${workspaceId}', '${customerId}', '{}') as facts
       where facts is not null`,
    right: members("sends:read", "sends:write"),
  },
  {
    title: "the health of senders",
    statement: ({ workspaceId, senderId }) =>
      `select from private.sender_health('${workspaceId}', '{${senderId}}')`,
    right: members("senders:read", "senders:write"),
  },
  {
    title: "customers by the start of a name",
    statement: ({ workspaceId }) =>
      `select from private.search_customers('${workspaceId}', 'ada', '${lastUuid}', 10)`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "the number of customers",
    statement: ({ workspaceId }) =>
      `select from private.count_found_customers('${workspaceId}', null, 10) as c (found)
        where (c.found ->> 'count')::integer > 0`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "customers by e-mail address",
    statement: ({ workspaceId }) =>
      `select from private.customers_with_email(
         '${workspaceId}', 'ada@example.com', '${lastUuid}', 10)`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "ids of customers by e-mail address",
    statement: ({ workspaceId }) =>
      `select from private.customers_by_email('${workspaceId}', '{ada@example.com}')`,
    right: members("track:write", "sources:read", "sources:write"),
  },
  {
    title: "how destinations fare",
    statement: ({ workspaceId, destinationId }) =>
      `select from private.destination_health('${workspaceId}', '{${destinationId}}')`,
    right: members("destinations:read", "destinations:write"),
  },
  {
    title: "the states of destinations",
    statement: ({ workspaceId }) => `select from private.destination_states('${workspaceId}')`,
    right: members("destinations:read", "destinations:write"),
  },
  {
    title: "the names of destinations",
    statement: ({ workspaceId, destinationId }) =>
      `select from private.destination_names('${workspaceId}', '{${destinationId}}')`,
    right: members("deliveries:read", "deliveries:write"),
  },
  {
    title: "whether a source has a secret",
    statement: (entities) =>
      `select private.has_secret(s) from public.inbound_sources as s where s.workspace_id = '${entities.workspaceId}'`,
    right: members("sources:read", "sources:write"),
  },
  {
    title: "how many of each limited kind there are",
    statement: ({ workspaceId }) =>
      `select from private.workspace_use('${workspaceId}') as u where u is not null`,
    right: members(),
  },
  {
    title: "invitations of somebody else",
    statement: () => `select from private.own_invitations('${lastUuid}', 10)`,
    right: none,
  },
  {
    title: "members with their addresses",
    statement: ({ workspaceId }) => `select from private.workspace_people('${workspaceId}')`,
    right: members(),
  },
  {
    title: "when members were last active",
    statement: ({ workspaceId }) =>
      `select from private.team_activity('${workspaceId}') as a where a.last_active_at is not null`,
    right: none,
  },
  {
    title: "customers that fulfil a condition",
    statement: ({ workspaceId }) =>
      `select from private.filter_customers('${workspaceId}', '${everybody}', null, 10)`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "how many customers fulfil a condition",
    statement: ({ workspaceId }) =>
      `select from private.count_customers('${workspaceId}', '${everybody}') as n
       where n is not null`,
    right: members("customers:read", "customers:write"),
  },
  {
    title: "events whose customers fulfil a condition",
    statement: ({ workspaceId }) =>
      `select from private.filter_events('${workspaceId}', '${everybody}', '{"limit": 10}')`,
    right: members("events:read", "customers:read"),
  },
  {
    title: "how many events fulfil a condition",
    statement: ({ workspaceId }) =>
      `select from private.count_events('${workspaceId}', '${everybody}', '{}') as n
       where n is not null`,
    right: members("events:read", "customers:read"),
  },
  {
    title: "a preview of a condition",
    statement: ({ workspaceId }) =>
      `select from private.preview_condition('${workspaceId}', '${everybody}') as n
       where n is not null`,
    right: segmentReaders,
  },
  {
    title: "a condition explained for a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.explain_condition(
         '${workspaceId}', '${customerId}', '${everybody}') as n
       where n is not null`,
    right: segmentReaders,
  },
  {
    title: "why a customer is in a segment",
    statement: ({ workspaceId, segmentId, customerId }) =>
      `select from private.explain_segment('${workspaceId}', '${segmentId}', '${customerId}') as n
       where n is not null`,
    right: segmentReaders,
  },
  {
    title: "members of a segment",
    statement: ({ workspaceId, segmentId }) =>
      `select from private.segment_customers('${workspaceId}', '${segmentId}', null, 10)`,
    right: segmentReaders,
  },
  {
    title: "segments of a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_segments('${workspaceId}', '${customerId}')`,
    right: members("customers:read", "segments:read", "segments:write"),
  },
  {
    title: "segments of a customer, by name",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_memberships('${workspaceId}', '${customerId}')`,
    right: members("customers:read", "segments:read", "segments:write"),
  },
  {
    title: "customers for readers of segments",
    statement: ({ workspaceId, customerId }) =>
      `select from private.segment_documents('${workspaceId}', '{${customerId}}')`,
    right: members("customers:read", "segments:read", "segments:write"),
  },
  {
    title: "names of customers",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_names('${workspaceId}', '{${customerId}}')`,
    right: members("customers:read", "segments:read", "segments:write"),
  },
  {
    title: "what uses a segment",
    statement: ({ workspaceId, segmentId }) =>
      `select from private.list_uses('${workspaceId}', 'segment', '{${segmentId}}')`,
    right: segmentReaders,
  },
];

/** Functions that are only about the caller, or about no stored data. */
export const harmless: readonly string[] = [
  // Texts of a row that the caller has read.
  "private.rejection_reason",
  "private.alert_document",
  "private.describe_alert",
  // These are about the caller's own transaction.
  "private.shorten_exploration",
  "private.acting_workspace_id",
  "private.erased_customer_ids",
  "private.erased_identity_ids",
  "private.key_workspace_id",
  "private.member_workspace_ids",
  // A user's own new workspace, entries of the log in the caller's own name, and the responses to the
  // caller's own calls.
  "private.create_workspace",
  "private.write_audit",
  "private.claim_request",
  "private.keep_response",
  // The api calls these before it acts as the caller.
  "private.authenticate_keys",
  "private.take_tokens",
  // Counts that only grow.
  "private.add_throttled",
  "private.user_memberships",
  "private.session_state",
  // And these between cells: they show where something is, and give no right to it.
  "private.find_moved_addresses",
  "private.user_directory",
  "private.set_directory",
  "private.member_user_ids",
  "private.export_accounts",
  "private.import_accounts",
  // A user's own sessions: tests/access/api_own_sessions_test.ts.
  "private.own_sessions",
  // Row-level security decides; the defaults say nothing about it.
  "private.send_settings_of",
  "private.first_message_id",
  "private.rfc3339",
  "private.draft_revision",
  "private.uuid_v7",
  "private.uuid_v7_time",
  "private.attempts_start",
];
