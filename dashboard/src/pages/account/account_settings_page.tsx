import { useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../ui/page.tsx";
import { AccountPanels } from "./account_panels.tsx";

/** The account, within the settings of a workspace. */
export function AccountSettingsPage() {
  const { timezone } = useWorkspace();
  return (
    <Page
      title="Account"
      description="Your password, sessions, theme and time zone."
    >
      <AccountPanels workspaceZone={timezone} />
    </Page>
  );
}
