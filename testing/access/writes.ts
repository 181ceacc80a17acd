import { admins, none, type Right } from "./actors.ts";
import { alertVerbs, alertWrites } from "./alert_access.ts";
import { campaignWrites } from "./campaign_access.ts";
import { journeyWrites } from "./journey_access.ts";
import { messageWrites } from "./message_writes.ts";
import type { Write } from "./write.ts";
import type { Entities } from "./api_entities.ts";

// The role of sessions may not look into the schema "auth" itself.
const caller = "(current_setting('request.jwt.claims')::jsonb ->> 'sub')::uuid";
const segmentWriters: Right = { role: "member", scopes: ["segments:write"] };
const workspaceOf = ({ workspaceId }: Entities) => `workspace_id = '${workspaceId}'`;

/** Every write that a policy allows somebody; each is refused to all others. */
export const writes: readonly Write[] = [
  {
    title: "rename a workspace",
    statement: ({ workspaceId }) =>
      `update public.workspaces set name = 'x' where id = '${workspaceId}'`,
    right: { role: "owner", scopes: [] },
  },
  {
    title: "change a role",
    statement: (entities) =>
      `update public.workspace_members set role = 'member'
       where ${workspaceOf(entities)} and user_id = '${entities.memberId}'`,
    right: admins(),
  },
  {
    title: "make an owner",
    statement: (entities) =>
      `update public.workspace_members set role = 'owner'
       where ${workspaceOf(entities)} and user_id = '${entities.memberId}'`,
    right: { role: "owner", scopes: [] },
  },
  {
    title: "remove a member",
    statement: (entities) =>
      `delete from public.workspace_members
       where ${workspaceOf(entities)} and user_id = '${entities.memberId}'`,
    right: admins(),
  },
  {
    title: "remove an owner",
    statement: (entities) =>
      `delete from public.workspace_members
       where ${workspaceOf(entities)} and role = 'owner'
         and user_id <> ${caller}`,
    right: { role: "owner", scopes: [] },
  },
  {
    title: "change an invitation",
    statement: (entities) =>
      `update public.invitations set role = 'member' where ${workspaceOf(entities)}`,
    right: admins(),
  },
  {
    title: "withdraw an invitation",
    statement: (entities) => `delete from public.invitations where ${workspaceOf(entities)}`,
    right: admins(),
  },
  {
    title: "create a key",
    statement: ({ workspaceId }) =>
      `insert into private.api_keys (hash, workspace_id, name, last_four, scopes, created_by)
       values (decode(md5(random()::text) || md5('x'), 'hex'), '${workspaceId}', 'x', 'abcd',
         '{track:write}', ${caller})`,
    right: admins(),
  },
  {
    title: "revoke a key",
    statement: (entities) =>
      `update private.api_keys set revoked_at = now() where ${workspaceOf(entities)}`,
    right: admins(),
  },
  {
    title: "define an event",
    statement: ({ workspaceId }) =>
      `insert into public.event_definitions (workspace_id, name, owner)
       values ('${workspaceId}', 'page_viewed', 'x')`,
    right: { role: "member", scopes: ["events:write"] },
  },
  {
    title: "change what is said about an event",
    statement: (entities) =>
      `update public.event_definitions set owner = 'y' where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["events:write"] },
  },
  {
    title: "remove a device token",
    statement: (entities) => `delete from public.device_tokens where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["customers:write"] },
  },
  {
    title: "create a destination",
    statement: ({ workspaceId }) =>
      `insert into public.destinations (workspace_id, name, url, event_types)
       values ('${workspaceId}', 'x', 'https://example.com', '{*}')`,
    right: admins("destinations:write"),
  },
  {
    title: "change a destination",
    statement: (entities) =>
      `update public.destinations set enabled = false where ${workspaceOf(entities)}`,
    right: admins("destinations:write"),
  },
  {
    title: "delete a destination",
    statement: (entities) => `delete from public.destinations where ${workspaceOf(entities)}`,
    right: admins("destinations:write"),
  },
  {
    title: "add a signing secret",
    statement: ({ workspaceId, destinationId }) =>
      `insert into private.destination_secrets (workspace_id, destination_id, ciphertext)
       values ('${workspaceId}', '${destinationId}', 'v1.a.b')`,
    right: admins("destinations:write"),
  },
  {
    title: "add a header",
    statement: ({ workspaceId, destinationId }) =>
      `insert into private.destination_headers (workspace_id, destination_id, name, ciphertext)
       values ('${workspaceId}', '${destinationId}', 'X-Other', 'v1.a.b')`,
    right: admins("destinations:write"),
  },
  {
    title: "create a source",
    statement: ({ workspaceId }) =>
      `insert into public.inbound_sources (workspace_id, name, scheme)
       values ('${workspaceId}', 'x', 'stripe')`,
    right: admins("sources:write"),
  },
  {
    title: "add a source's secret",
    statement: ({ workspaceId, sourceId }) =>
      `insert into private.inbound_secrets (workspace_id, source_id, ciphertext)
       values ('${workspaceId}', '${sourceId}', 'v1.a.b')`,
    right: admins("sources:write"),
  },
  {
    title: "delete a source",
    statement: (entities) => `delete from public.inbound_sources where ${workspaceOf(entities)}`,
    right: admins("sources:write"),
  },
  ...messageWrites,
  ...alertWrites,
];

/** Functions with definer rights that check their caller: what each does for whom. */
export const verbs: readonly Write[] = [
  {
    title: "edit a customer",
    statement: ({ workspaceId, customerId }) =>
      `select private.edit_customer('${workspaceId}', '${customerId}', '{}', '{}')`,
    right: { role: "member", scopes: ["customers:write"] },
  },
  {
    title: "erase a customer",
    statement: ({ workspaceId, customerId }) =>
      `select private.erase_customer('${workspaceId}', '${customerId}')`,
    right: { role: "member", scopes: ["customers:write"] },
  },
  {
    title: "attach a device token",
    statement: ({ workspaceId, customerId }) =>
      `select private.attach_device_token('${workspaceId}', '${customerId}', 't', 'web')`,
    right: { role: "member", scopes: ["customers:write"] },
  },
  {
    title: "subscribe a customer to a topic",
    statement: ({ workspaceId, customerId, topicId }) =>
      `select private.set_customer_topic('${workspaceId}', '${customerId}', '${topicId}', true)`,
    right: { role: "member", scopes: ["customers:write"] },
  },
  {
    title: "suppress an address",
    statement: ({ workspaceId }) =>
      `select private.add_suppressions('${workspaceId}',
         '[{"email": "x@example.com", "reason": "manual", "source": "api"}]')`,
    right: admins("suppressions:write"),
  },
  {
    title: "send a message",
    statement: ({ workspaceId, senderId, templateId, customerId }) =>
      `select private.request_send('${workspaceId}', jsonb_build_object(
         'sender_id', '${senderId}', 'template_id', '${templateId}',
         'customer_id', '${customerId}'))`,
    right: { role: "member", scopes: ["sends:write"] },
  },
  {
    title: "resolve the names of a message",
    statement: ({ workspaceId, customerId }) =>
      `select private.resolve_send('${workspaceId}', jsonb_build_object(
         'customer_id', '${customerId}'))`,
    right: { role: "member", scopes: ["sends:write"] },
  },
  {
    title: "test a destination",
    statement: ({ workspaceId, destinationId }) =>
      `select private.test_destination('${workspaceId}', '${destinationId}')`,
    right: { role: "member", scopes: ["destinations:write"] },
  },
  {
    title: "count what failed",
    statement: ({ workspaceId, destinationId }) =>
      `select private.preview_replay('${workspaceId}', '${destinationId}', '-infinity', now())`,
    right: { role: "member", scopes: ["destinations:write"] },
  },
  {
    title: "replay what failed",
    statement: ({ workspaceId, destinationId }) =>
      `select private.replay_failed('${workspaceId}', '${destinationId}', '-infinity', now())`,
    right: { role: "member", scopes: ["destinations:write"] },
  },
  {
    title: "recover what was missed",
    statement: ({ workspaceId, destinationId }) =>
      `select private.recover_missed('${workspaceId}', '${destinationId}', null)`,
    right: { role: "member", scopes: ["destinations:write"] },
  },
  {
    title: "replay a delivery",
    statement: ({ workspaceId, deliveryId }) =>
      `select private.replay_delivery('${workspaceId}', '${deliveryId}')`,
    right: { role: "member", scopes: ["deliveries:write"] },
  },
  {
    title: "discard what was missed",
    statement: ({ workspaceId, destinationId }) =>
      `select private.discard_missed('${workspaceId}', '${destinationId}')`,
    right: { role: "member", scopes: ["destinations:write"] },
  },
  {
    title: "try a message now",
    statement: ({ workspaceId, messageId }) =>
      `select private.try_message_now('${workspaceId}', '${messageId}')`,
    right: { role: "member", scopes: ["deliveries:write"] },
  },
  {
    title: "cancel a message",
    statement: ({ workspaceId, messageId }) =>
      `select private.cancel_message('${workspaceId}', '${messageId}')`,
    right: { role: "member", scopes: ["deliveries:write"] },
  },
  {
    title: "invite a member",
    statement: ({ workspaceId }) =>
      `select private.invite_member('${workspaceId}', 'x@example.com', 'viewer')`,
    right: admins(),
  },
  {
    title: "mail an invitation",
    statement: ({ workspaceId, invitationId }) =>
      `select private.mail_invitation('${workspaceId}', '${invitationId}', 'https://example.com')`,
    right: admins(),
  },
  {
    title: "invite an owner",
    statement: ({ workspaceId }) =>
      `select private.invite_member('${workspaceId}', 'x@example.com', 'owner')`,
    right: { role: "owner", scopes: [] },
  },
  {
    title: "accept an invitation of somebody else",
    statement: ({ invitationId }) =>
      `select private.accept_invitation('${invitationId}', gen_random_uuid())`,
    right: none,
  },
  {
    title: "decline an invitation of somebody else",
    statement: ({ invitationId }) =>
      `select private.decline_invitation('${invitationId}', gen_random_uuid())`,
    right: none,
  },
  {
    title: "delete a workspace",
    statement: ({ workspaceId }) => `select private.delete_workspace('${workspaceId}')`,
    right: { role: "owner", scopes: [] },
  },
  {
    title: "change headers",
    statement: ({ workspaceId, destinationId }) =>
      `select private.change_destination_headers(
         '${workspaceId}', '${destinationId}', '[{"name": "X-Other", "ciphertext": "v1.a.b"}]'
       )`,
    right: admins("destinations:write"),
  },
  {
    title: "rotate a destination's secret",
    statement: ({ workspaceId, destinationId }) =>
      `select private.rotate_destination_secret('${workspaceId}', '${destinationId}', 'v1.a.b')`,
    right: admins("destinations:write"),
  },
  {
    title: "rotate a source's secret",
    statement: ({ workspaceId, sourceId }) =>
      `select private.rotate_inbound_secret('${workspaceId}', '${sourceId}', 'v1.a.b')`,
    right: admins("sources:write"),
  },
  {
    title: "send a refused entry again",
    statement: ({ workspaceId, rejectedEntryId }) =>
      `select private.resend_entries('${workspaceId}', '${rejectedEntryId}',
         '[{"kind": "event", "name": "seen", "external_id": "user-1"}]')`,
    right: { role: "member", scopes: ["track:write"] },
  },
  {
    title: "discard a refused entry",
    statement: ({ workspaceId, rejectedEntryId }) =>
      `select private.discard_entry('${workspaceId}', '${rejectedEntryId}')`,
    right: { role: "member", scopes: ["events:write"] },
  },
  {
    title: "discard the refused entries of a reason",
    statement: ({ workspaceId }) =>
      `select private.discard_entries('${workspaceId}', '{"reason": "x"}', now())`,
    right: { role: "member", scopes: ["events:write"] },
  },
  {
    title: "take tokens for entries",
    statement: ({ workspaceId }) =>
      `select from private.take_ingest_tokens('${workspaceId}', 1, 1, 0)`,
    right: { role: "member", scopes: ["track:write"] },
  },
  {
    title: "create a segment",
    statement: ({ workspaceId }) =>
      `select private.create_segment('${workspaceId}', '{"name": "x", "kind": "static"}')`,
    right: segmentWriters,
  },
  {
    title: "change a segment",
    statement: ({ workspaceId, segmentId }) =>
      `select private.update_segment('${workspaceId}', '${segmentId}', '{"name": "x"}')`,
    right: segmentWriters,
  },
  {
    title: "put a segment",
    statement: ({ workspaceId }) =>
      `select from private.put_segment('${workspaceId}', 'x', '{"name": "x", "kind": "static"}')`,
    right: segmentWriters,
  },
  {
    title: "delete a segment",
    statement: ({ workspaceId, segmentId }) =>
      `select private.delete_segment('${workspaceId}', '${segmentId}')`,
    right: segmentWriters,
  },
  {
    title: "add to a segment",
    statement: ({ workspaceId, segmentId, customerId }) =>
      `select private.add_to_segment('${workspaceId}', '${segmentId}',
         '{"customer_ids": ["${customerId}"]}')`,
    right: segmentWriters,
  },
  {
    title: "remove from a segment",
    statement: ({ workspaceId, segmentId, customerId }) =>
      `select private.remove_from_segment('${workspaceId}', '${segmentId}',
         '{"customer_ids": ["${customerId}"]}')`,
    right: segmentWriters,
  },
  {
    title: "check that a topic may be deleted",
    statement: ({ workspaceId, segmentId }) =>
      `select private.refuse_used_topic('${workspaceId}', '${segmentId}')`,
    right: admins("topics:write"),
  },
  {
    title: "check that a template may be deleted",
    statement: ({ workspaceId, segmentId }) =>
      `select private.refuse_used_template('${workspaceId}', '${segmentId}')`,
    right: { role: "member", scopes: ["templates:write"] },
  },
  {
    title: "check that a sender may be deleted",
    statement: ({ workspaceId, segmentId }) =>
      `select private.refuse_used_sender('${workspaceId}', '${segmentId}')`,
    right: admins("senders:write"),
  },
  ...journeyWrites,
  ...campaignWrites,
  ...alertVerbs,
];
