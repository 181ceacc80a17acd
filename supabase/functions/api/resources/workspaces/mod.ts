import { createWorkspace } from "./create_workspace.ts";
import { deleteWorkspace } from "./delete_workspace.ts";
import { getWorkspace } from "./get_workspace.ts";
import { listWorkspaces } from "./list_workspaces.ts";
import { updateWorkspace } from "./update_workspace.ts";

/** Routes of this resource. */
export const workspaceRoutes = [
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
] as const;
