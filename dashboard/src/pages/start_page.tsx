import { Navigate } from "@tanstack/react-router";
import { PlusIcon } from "@primer/octicons-react";
import { Button, Container } from "@mantine/core";
import { useDisclosure, useDocumentTitle } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useRequiredSession } from "../auth/require_session.ts";
import { EmptyState } from "../components/empty_state.tsx";
import { ErrorState } from "../components/error_state.tsx";
import { LoadingPage } from "../components/loading_page.tsx";
import { InvitationList } from "./invitations/invitation_list.tsx";
import { useInvitations } from "./invitations/invitations.ts";
import { pickWorkspace, useWorkspaces } from "../shell/workspaces.ts";

const NewWorkspaceModal = lazy(() => import("../shell/new_workspace_modal.tsx"));

/** Leads to the workspace looked at last. */
export function StartPage() {
  const isSignedIn = useRequiredSession();
  const workspaces = useWorkspaces();
  const invitations = useInvitations();
  const [isCreating, { open, close }] = useDisclosure();
  useDocumentTitle("Workspaces · Signalpost");
  if (!isSignedIn || workspaces.isPending) return <LoadingPage />;
  if (workspaces.isError) return <ErrorState error={workspaces.error} retry={workspaces.refetch} />;
  const workspace = pickWorkspace(workspaces.data);
  if (workspace) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />;
  }
  return (
    <Container size="sm" py={80} component="main">
      {invitations.data && <InvitationList invitations={invitations.data} />}
      <EmptyState
        icon={PlusIcon}
        title="You are not in a workspace yet"
        action={<Button onClick={open}>New workspace</Button>}
      >
        Create one, or ask an admin of an existing workspace to invite you; the invitation appears
        here.
      </EmptyState>
      <Suspense>{isCreating && <NewWorkspaceModal close={close} />}</Suspense>
    </Container>
  );
}
