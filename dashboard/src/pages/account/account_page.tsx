import { Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { AccountLayout } from "./account_layout.tsx";
import { AccountPanels } from "./account_panels.tsx";
import { WorkspacesLink } from "./workspaces_link.tsx";

/** The account of a user, outside of any workspace. */
export function AccountPage() {
  useDocumentTitle("Account · Signalpost");
  return (
    <AccountLayout>
      <WorkspacesLink />
      <Stack>
        <Title order={1} size="h2">Account</Title>
        <AccountPanels />
      </Stack>
    </AccountLayout>
  );
}
