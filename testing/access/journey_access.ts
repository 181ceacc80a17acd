import { admins, members, type Right } from "./actors.ts";
import type { Write } from "./write.ts";

const readers = members("journeys:read", "journeys:write");
const editors = admins("journeys:write");
const entrants: Right = { role: "member", scopes: ["journeys:write"] };
const definition = '{"trigger": {"api": true}, "start": "end", "steps": {"end": {"exit": {}}}}';

/** Functions that show something of journeys. */
export const journeyLookups: readonly Write[] = [
  {
    title: "how many are in journeys",
    statement: ({ workspaceId, journeyId }) =>
      `select from private.journey_counts('${workspaceId}', '{${journeyId}}')`,
    right: readers,
  },
  {
    title: "what the service fails at with a journey",
    statement: ({ workspaceId, journeyId }) =>
      `select from private.journey_problem('${workspaceId}', '${journeyId}') as r where r is not null`,
    right: readers,
  },
  {
    title: "how many stand at each step",
    statement: ({ workspaceId, journeyId }) =>
      `select from private.step_counts('${workspaceId}', '${journeyId}')`,
    right: readers,
  },
  {
    title: "what a journey names",
    statement: ({ workspaceId }) =>
      `select from private.find_references(
         '${workspaceId}', '[{"kind": "topic", "name": "newsletter"}]')`,
    right: readers,
  },
  {
    title: "runs of a customer",
    statement: ({ workspaceId, customerId }) =>
      `select from private.customer_runs('${workspaceId}', '${customerId}', null, 10)`,
    right: members("customers:read", "journeys:read"),
  },
  {
    title: "what decides about a customer in a journey",
    statement: ({ workspaceId, journeyId, customerId }) =>
      `select from private.explain_journey('${workspaceId}', '${journeyId}', '${customerId}') as r
       where r is not null`,
    right: members("journeys:read", "journeys:write", "sends:read"),
  },
];

/** Functions that change journeys. */
export const journeyWrites: readonly Write[] = [
  {
    title: "create a journey",
    statement: ({ workspaceId }) =>
      `select private.create_journey('${workspaceId}', '{"name": "x", "definition": ${definition}}')`,
    right: editors,
  },
  {
    title: "change a journey",
    statement: ({ workspaceId, journeyId }) =>
      `select private.update_journey('${workspaceId}', '${journeyId}', '{"name": "x"}')`,
    right: editors,
  },
  {
    title: "put a journey",
    statement: ({ workspaceId }) =>
      `select from private.put_journey(
         '${workspaceId}', 'x', '{"name": "x", "definition": ${definition}}')`,
    right: editors,
  },
  {
    title: "publish a journey",
    statement: ({ workspaceId, journeyId }) =>
      `select private.publish_journey('${workspaceId}', '${journeyId}', '{"definition": ${definition}}')`,
    right: editors,
  },
  {
    title: "pause a journey",
    statement: ({ workspaceId, journeyId }) =>
      `select private.set_journey_state('${workspaceId}', '${journeyId}', 'paused')`,
    right: editors,
  },
  {
    title: "find who enters a journey",
    statement: ({ workspaceId, customerId }) =>
      `select private.find_entrant('${workspaceId}', '${customerId}', null)`,
    right: entrants,
  },
  {
    title: "enter a journey",
    statement: ({ workspaceId, journeyId, customerId }) =>
      `select private.enter_journey('${workspaceId}', '${journeyId}', '{"customer_id": "${customerId}"}')`,
    right: entrants,
  },
  {
    title: "rehearse a journey",
    statement: ({ workspaceId, journeyId }) =>
      `select private.rehearse_journey(
         '${workspaceId}', '${journeyId}',
         '{"since": "2026-01-01T00:00:00Z", "definition": {"trigger": {"event": "x"}}}')`,
    right: entrants,
  },
  {
    title: "replay runs",
    statement: ({ workspaceId, journeyId, runId }) =>
      `select private.replay_runs(
         '${workspaceId}', '${journeyId}', '{"run_ids": ["${runId}"], "from": "pause"}')`,
    right: editors,
  },
  {
    title: "take a customer out of a journey",
    statement: ({ workspaceId, runId }) =>
      `select private.remove_run('${workspaceId}', '${runId}')`,
    right: editors,
  },
  {
    title: "delete a journey",
    statement: ({ workspaceId }) =>
      `select private.delete_journey('${workspaceId}', gen_random_uuid())`,
    right: editors,
  },
];
