import { admins } from "./actors.ts";
import type { Entities } from "./api_entities.ts";
import type { Write } from "./write.ts";

const workspaceOf = ({ workspaceId }: Entities) => `workspace_id = '${workspaceId}'`;

/** Writes of templates, topics, views and suppressions that a policy allows somebody. */
export const messageWrites: readonly Write[] = [
  {
    title: "create a template",
    statement: ({ workspaceId }) =>
      `insert into public.templates (workspace_id, name, version) values ('${workspaceId}', 'x', 1)`,
    right: { role: "member", scopes: ["templates:write"] },
  },
  {
    title: "change a template",
    statement: (entities) =>
      `update public.templates set name = 'x' where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["templates:write"] },
  },
  {
    title: "add a version of a template",
    statement: ({ workspaceId, templateId }) =>
      `insert into public.template_versions (workspace_id, template_id, version, subject,
         is_text_generated, variables, warnings, has_unsubscribe)
       values ('${workspaceId}', '${templateId}', 9, 'x', true, '{}', '{}', false)`,
    right: { role: "member", scopes: ["templates:write"] },
  },
  {
    title: "delete a template",
    statement: (entities) => `delete from public.templates where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["templates:write"] },
  },
  {
    title: "create a topic",
    statement: ({ workspaceId }) =>
      `insert into public.topics (workspace_id, key, name, default_state)
       values ('${workspaceId}', 'x', 'x', 'subscribed')`,
    right: admins("topics:write"),
  },
  {
    title: "change a topic",
    statement: (entities) => `update public.topics set name = 'x' where ${workspaceOf(entities)}`,
    right: admins("topics:write"),
  },
  {
    title: "delete a topic",
    statement: (entities) => `delete from public.topics where ${workspaceOf(entities)}`,
    right: admins("topics:write"),
  },
  {
    title: "create a view",
    statement: ({ workspaceId }) =>
      `insert into public.views (workspace_id, list, name) values ('${workspaceId}', 'events', 'x')`,
    right: { role: "member", scopes: ["views:write"] },
  },
  {
    title: "change a view",
    statement: (entities) => `update public.views set name = 'x' where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["views:write"] },
  },
  {
    title: "delete a view",
    statement: (entities) => `delete from public.views where ${workspaceOf(entities)}`,
    right: { role: "member", scopes: ["views:write"] },
  },
  {
    title: "lift a suppression",
    statement: (entities) => `delete from public.suppressions where ${workspaceOf(entities)}`,
    right: admins("suppressions:write"),
  },
  {
    title: "create a sender",
    statement: ({ workspaceId }) =>
      `insert into public.senders (workspace_id, name, provider, from_address)
       values ('${workspaceId}', 'x', 'inbox', 'x@example.com')`,
    right: admins("senders:write"),
  },
  {
    title: "change a sender",
    statement: (entities) => `update public.senders set name = 'x' where ${workspaceOf(entities)}`,
    right: admins("senders:write"),
  },
  {
    title: "delete a sender",
    statement: (entities) => `delete from public.senders where ${workspaceOf(entities)}`,
    right: admins("senders:write"),
  },
  {
    title: "add credentials of a sender",
    statement: ({ workspaceId, senderId }) =>
      `insert into private.sender_secrets (workspace_id, sender_id, ciphertext)
       values ('${workspaceId}', '${senderId}', 'v1.a.b')`,
    right: admins("senders:write"),
  },
  {
    title: "set when nothing is sent",
    statement: ({ workspaceId }) =>
      `insert into public.send_settings (workspace_id, caps) values ('${workspaceId}', '[]')`,
    right: { role: "owner", scopes: [] },
  },
];
