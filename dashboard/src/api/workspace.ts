import { createContext, useContext } from "react";
import type { Role, Workspace } from "./types.ts";

const WorkspaceContext = createContext<Workspace | null>(null);
export const WorkspaceProvider = WorkspaceContext.Provider;

/** The workspace that is open, or null outside of its pages. */
export function useOpenWorkspace(): Workspace | null {
  return useContext(WorkspaceContext);
}

/** The workspace that is open. */
export function useWorkspace(): Workspace {
  const workspace = useOpenWorkspace();
  if (!workspace) throw new Error("Cannot use the workspace outside of its pages");
  return workspace;
}

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Returns whether the user's role in the workspace is at least this one. */
export function useMay(role: Role): boolean {
  return ranks[useWorkspace().role] >= ranks[role];
}
