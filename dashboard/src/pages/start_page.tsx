import { Navigate } from "@tanstack/react-router";
import { PlusIcon } from "@primer/octicons-react";
import { Button, Container } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useRequiredSession } from "../auth/require_session.ts";
import { EmptyState } from "../components/empty_state.tsx";
import { ErrorState } from "../components/error_state.tsx";
import { LoadingPage } from "../components/loading_page.tsx";
import { pickWorkspace, useWorkspaces } from "../shell/workspaces.ts";

const NewWorkspaceModal = lazy(() => import("../shell/new_workspace_modal.tsx"));

/** Leads to the workspace looked at last. */
export function StartPage() {
  const isSignedIn = useRequiredSession();
  const workspaces = useWorkspaces();
  const [isCreating, { open, close }] = useDisclosure();
  if (!isSignedIn || workspaces.isPending) return <LoadingPage />;
  if (workspaces.isError) return <ErrorState error={workspaces.error} retry={workspaces.refetch} />;
  const workspace = pickWorkspace(workspaces.data);
  if (workspace) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />;
  }
  return (
    <Container size="sm" py={80} component="main">
      <EmptyState
        icon={PlusIcon}
        title="You are in no workspace"
        action={<Button onClick={open}>New workspace</Button>}
      >
        Create one of your own, or ask an admin of an existing one to invite you.
      </EmptyState>
      <Suspense>{isCreating && <NewWorkspaceModal close={close} />}</Suspense>
    </Container>
  );
}
