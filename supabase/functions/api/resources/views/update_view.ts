import { checkView } from "./check_view.ts";
import { databaseErrorCode } from "../../../_shared/db/errors.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { params } from "../../contract/fields.ts";
import { view, viewEdit } from "../../contract/views.ts";
import { listChanges } from "../../kernel/changes.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changeView, findView } from "./view_queries.ts";

const uniqueViolation = "23505";

export const updateView = defineRoute({
  operationId: "updateView",
  method: "PATCH",
  path: "/views/{id}",
  tag: "Views",
  summary: "Change a view",
  scopes: ["views:write"],
  leastRole: "member",
  params,
  entity: "View",
  body: viewEdit,
  status: 200,
  response: view,
  errors: ["conflict"],
  action: "view.update",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, viewId: params.id };
    const before = requireFound(await findView(tx, key), "View");
    checkView(before.list, body);
    requireFound(
      await requireFreeName(body.name, changeView(tx, { ...key, fields: body })),
      "View",
    );
    const after = requireFound(await findView(tx, key), "View");
    const fields = Object.keys(body);
    const { list, name } = after;
    await audit(params.id, { list, name, fields, changes: listChanges(fields, { before, after }) });
    return after;
  },
});

/** Returns the result of a change; throws `conflict` if another view has the new name. */
async function requireFreeName<Value>(
  name: string | undefined,
  change: Promise<Value>,
): Promise<Value> {
  try {
    return await change;
  } catch (error) {
    if (databaseErrorCode(error) !== uniqueViolation) throw error;
    const message = `Cannot change view: the list has another view "${name}"`;
    throw new ApiError("conflict", message, { cause: error });
  }
}
