import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import type { Workspace } from "../api/types.ts";

/**
 * Tells users that their role in the open workspace has changed. Buttons and dialogs that need
 * another role leave the page at the same moment, and with them any error that they showed.
 */
export function useRoleNotice(workspace: Workspace | undefined): void {
  const known = useRef<Workspace>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = workspace;
    if (!workspace || before?.id !== workspace.id || before.role === workspace.role) return;
    notifications.show({
      message: `Your role in this workspace is now ${workspace.role}.`,
      autoClose: false,
    });
  }, [workspace]);
}
