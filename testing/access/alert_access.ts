import { admins } from "./actors.ts";
import type { Entities } from "./api_entities.ts";
import type { Write } from "./write.ts";

const editors = admins("alerts:write");
const ofWorkspace = ({ workspaceId }: Entities) => `workspace_id = '${workspaceId}'`;

/** Writes of alert rules that a policy allows somebody. */
export const alertWrites: readonly Write[] = [
  {
    title: "create an alert rule",
    statement: ({ workspaceId }) =>
      `insert into public.alert_rules (workspace_id, name, kind, threshold)
       values ('${workspaceId}', 'x', 'quota', 80)`,
    right: editors,
  },
  {
    title: "change an alert rule",
    statement: (entities) =>
      `update public.alert_rules set name = 'x' where ${ofWorkspace(entities)}`,
    right: editors,
  },
  {
    title: "delete an alert rule",
    statement: (entities) => `delete from public.alert_rules where ${ofWorkspace(entities)}`,
    right: editors,
  },
];

/** Functions that do something with alert rules. */
export const alertVerbs: readonly Write[] = [
  {
    title: "test an alert rule",
    statement: ({ workspaceId, alertRuleId }) =>
      `select private.test_alert_rule('${workspaceId}', '${alertRuleId}')`,
    right: editors,
  },
];
