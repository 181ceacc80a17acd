import { Anchor, Container, Stack, Text, Title } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import { useDocumentTitle } from "@mantine/hooks";
import { useRequiredSession } from "../../auth/require_session.ts";
import { useSession } from "../../auth/session.ts";
import { EmptyState } from "../../components/empty_state.tsx";
import { ErrorState } from "../../components/error_state.tsx";
import { linkTo } from "../../components/link_to.ts";
import { LoadingPage } from "../../components/loading_page.tsx";
import { useServices } from "../../services.ts";
import { InvitationList } from "./invitation_list.tsx";
import { useInvitations } from "./invitations.ts";

/** Outside of all workspaces: a user may be in none. */
export function InvitationsPage() {
  const isSignedIn = useRequiredSession();
  const { session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  const invitations = useInvitations();
  useDocumentTitle("Invitations · Signalpost");
  if (!isSignedIn || invitations.isPending) return <LoadingPage />;
  if (invitations.isError) {
    return <ErrorState error={invitations.error} retry={invitations.refetch} />;
  }
  return (
    <Container size="sm" py="xl" component="main">
      <Stack>
        <Title order={1} size="h2">Invitations</Title>
        {invitations.data.length === 0
          ? (
            <EmptyState icon={MailIcon} title="No open invitations">
              There is none for{" "}
              <b className="break-anywhere">{email}</b>. If you expected one, ask which address was
              invited.
            </EmptyState>
          )
          : (
            <>
              <Text size="sm" c="dimmed">
                Sent to{" "}
                <b className="break-anywhere">{email}</b>. Accept only invitations you expect from
                people you know: anyone can give a workspace any name.
              </Text>
              <InvitationList invitations={invitations.data} />
            </>
          )}
        <Anchor {...linkTo("/")} size="sm">Go to your workspaces</Anchor>
      </Stack>
    </Container>
  );
}
