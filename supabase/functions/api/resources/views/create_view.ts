import { checkView } from "./check_view.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { newView, view } from "../../contract/views.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findView, insertView } from "./view_queries.ts";

export const createView = defineRoute({
  operationId: "createView",
  method: "POST",
  path: "/views",
  tag: "Views",
  summary: "Save a view",
  description: "Saves filters and columns of a list for everyone in the workspace.",
  scopes: ["views:write"],
  leastRole: "member",
  body: newView,
  status: 201,
  response: view,
  errors: ["conflict", "limit_reached"],
  action: "view.create",
  async handle({ tx, workspaceId, caller, body, audit }) {
    const { list, ...fields } = body;
    checkView(list, fields);
    const userId = caller.kind === "session" ? caller.userId : null;
    const viewId = await insertView(tx, { workspaceId, list, userId, fields });
    if (viewId === undefined) {
      const message = `Cannot save view: the list has another view "${body.name}"`;
      throw new ApiError("conflict", message);
    }
    await audit(viewId, { list, name: body.name });
    return requireFound(await findView(tx, { workspaceId, viewId }), "View");
  },
});
