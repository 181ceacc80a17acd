import { Anchor, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { linkTo } from "../../ui/link_to.ts";
import { AccountLayout } from "./account_layout.tsx";
import { AccountPanels } from "./account_panels.tsx";

/** The account of a user, outside of any workspace. */
export function AccountPage() {
  useDocumentTitle("Account · Signalpost");
  return (
    <AccountLayout>
      <Stack>
        <Title order={1} size="h2">Account</Title>
        <AccountPanels />
        <Anchor {...linkTo("/")} size="sm">Go to your workspaces</Anchor>
      </Stack>
    </AccountLayout>
  );
}
