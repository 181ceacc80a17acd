import { findUse, findWorkspace } from "../../../_shared/db/workspaces.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspaceWithUse } from "./schema.ts";

export const getWorkspace = defineRoute({
  operationId: "getWorkspace",
  method: "GET",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Read a workspace, its limits and how much of them is used",
  scopes: [],
  leastRole: "viewer",
  workspace: "path",
  params,
  status: 200,
  answer: workspaceWithUse,
  async handle({ tx, caller, workspaceId }) {
    const { userId } = requireUser(caller);
    const found = requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
    return { ...found, use: await findUse(tx, workspaceId) };
  },
});
