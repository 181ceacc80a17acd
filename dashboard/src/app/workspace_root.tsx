import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useRequiredSession } from "./require_session.ts";
import { ErrorState } from "../ui/error_state.tsx";
import { LeaveGuard } from "../ui/leave_guard.tsx";
import { LoadingPage } from "../ui/skeletons.tsx";
import { MissingPage } from "../ui/fallback_pages.tsx";
import { WorkspaceProvider } from "../api/workspace.ts";
import { useRoleNotice } from "./role_notice.ts";
import { Shell } from "./shell.tsx";
import { rememberWorkspace, useWorkspaces } from "../api/workspaces.ts";

/** Opens a workspace of the signed-in user for the pages below. */
export function WorkspaceRoot() {
  const { workspaceId } = useParams({ from: "/w/$workspaceId" });
  const isSignedIn = useRequiredSession();
  const workspaces = useWorkspaces();
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId);
  useRoleNotice(workspace);

  useEffect(() => {
    if (workspace) rememberWorkspace(workspace.id);
  }, [workspace?.id]);

  if (!isSignedIn || workspaces.isPending) return <LoadingPage />;
  if (workspaces.isError) return <ErrorState error={workspaces.error} retry={workspaces.refetch} />;
  if (!workspace) return <MissingPage />;
  return (
    <WorkspaceProvider value={workspace}>
      <LeaveGuard>
        <Shell key={workspace.id}>
          <Outlet />
        </Shell>
      </LeaveGuard>
    </WorkspaceProvider>
  );
}
