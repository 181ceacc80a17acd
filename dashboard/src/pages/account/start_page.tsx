import { Button } from "@mantine/core";
import { useDisclosure, useDocumentTitle } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { Navigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useInvitations } from "../../api/invitations.ts";
import { pickWorkspace, useWorkspaces } from "../../api/workspaces.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { LoadingPage } from "../../ui/skeletons.tsx";
import { AccountLayout } from "./account_layout.tsx";
import { InvitationList } from "./invitation_list.tsx";

const NewWorkspaceModal = lazy(() => import("./new_workspace_modal.tsx"));

/** Opens the workspace that the user opened last. */
export function StartPage() {
  const workspaces = useWorkspaces();
  const invitations = useInvitations();
  const [isCreating, { open, close }] = useDisclosure();
  useDocumentTitle("Workspaces · Signalpost");
  if (workspaces.isPending) return <LoadingPage />;
  if (workspaces.isError) return <ErrorState error={workspaces.error} retry={workspaces.refetch} />;
  const workspace = pickWorkspace(workspaces.data);
  if (workspace) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />;
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
