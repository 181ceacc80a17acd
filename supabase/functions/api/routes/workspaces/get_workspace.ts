import { findWorkspace } from "../../../_shared/db/workspaces.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspace } from "./schema.ts";

export const getWorkspace = defineRoute({
  operationId: "getWorkspace",
  method: "GET",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Read a workspace",
  scopes: [],
  leastRole: "viewer",
  workspace: "path",
  params,
  status: 200,
  answer: workspace,
  async handle({ tx, caller, workspaceId }) {
    const { userId } = requireUser(caller);
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
