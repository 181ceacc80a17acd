import {
  createWorkspace as insertWorkspace,
  findWorkspace,
} from "../../../_shared/db/workspaces.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { requireUser } from "../../users.ts";
import { workspace, workspaceFields } from "./schema.ts";

export const createWorkspace = defineRoute({
  operationId: "createWorkspace",
  method: "POST",
  path: "/workspaces",
  tag: "Workspaces",
  summary: "Create a workspace that you own",
  scopes: [],
  leastRole: "viewer",
  workspace: "none",
  body: workspaceFields,
  status: 201,
  answer: workspace,
  errors: ["conflict"],
  async handle({ tx, caller, body }) {
    const { userId } = requireUser(caller);
    const workspaceId = await insertWorkspace(tx, body.name);
    return requireFound(await findWorkspace(tx, { userId, workspaceId }), "Workspace");
  },
});
