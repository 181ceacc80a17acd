import { findSource, updateSource as updateRow } from "./source_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireSettings } from "./require_secret.ts";
import { requireRules, source, sourceEdit } from "../../contract/sources.ts";
import { getSource } from "./get_source.ts";

export const updateSource = defineRoute({
  operationId: "updateSource",
  method: "PATCH",
  path: "/sources/{id}",
  tag: "Sources",
  summary: "Change, enable or disable a source",
  description: "Takes effect within 10 seconds. A disabled source responds like an unknown one.",
  scopes: ["sources:write"],
  leastRole: "admin",
  params,
  entity: "Source",
  body: sourceEdit,
  status: 200,
  response: source,
  errors: ["conflict"],
  action: "source.update",
  shownBy: getSource,
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, sourceId: params.id };
    const { scheme, hmac, topic_arn } = requireFound(await findSource(tx, key), "Source");
    requireSettings({ scheme, hmac, topic_arn, ...body });
    requireFound(await updateRow(tx, { ...key, fields: body }), "Source");
    const updated = requireFound(await findSource(tx, key), "Source");
    // Throwing here rolls the update back.
    requireRules(updated);
    await audit(params.id, { fields: Object.keys(body) });
    return updated;
  },
});
