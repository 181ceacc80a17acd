import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { Navigate, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useInvitations } from "../../api/invitations.ts";
import { pickWorkspace, useWorkspaces } from "../../api/workspaces.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { LoadingPage } from "../../ui/skeletons.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { AccountLayout } from "./account_layout.tsx";
import { InvitationList } from "./invitation_list.tsx";
import { lateImport } from "../../ui/late_import.ts";

const NewWorkspaceModal = lazy(() => lateImport(() => import("./new_workspace_modal.tsx")));

/** Opens the workspace that the user opened last. */
export function StartPage() {
  const workspaces = useWorkspaces();
  const invitations = useInvitations();
  // As it was at first: the address changes before the next page has loaded.
  const [isNew] = useState(useLocation({ select: ({ state }) => state.isNew === true }));
  const [isCreating, { open, close }] = useDraftDialog("workspace:new");
  useDocumentTitle("Workspaces · Signalpost");
  if (workspaces.isPending) return <LoadingPage />;
  if (workspaces.isError) return <ErrorState error={workspaces.error} retry={workspaces.refetch} />;
  const workspace = pickWorkspace(workspaces.data);
  if (workspace) {
    const to = isNew ? "/w/$workspaceId/getting-started" : "/w/$workspaceId";
    return <Navigate to={to} params={{ workspaceId: workspace.id }} replace />;
  }
  return (
    <AccountLayout>
      {invitations.data && invitations.data.length > 0 && (
        <InvitationList invitations={invitations.data} />
      )}
      <EmptyState
        icon={PlusIcon}
        title="You are not in a workspace yet"
        action={<Button onClick={open}>New workspace</Button>}
      >
        Create a workspace, or ask an admin of an existing one to invite you. The invitation appears
        here.
      </EmptyState>
      <Suspense>{isCreating && <NewWorkspaceModal close={close} />}</Suspense>
    </AccountLayout>
  );
}
