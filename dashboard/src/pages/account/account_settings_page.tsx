import { Page } from "../../ui/page.tsx";
import { AccountPanels } from "./account_panels.tsx";

/** The account, within the settings of a workspace. */
export function AccountSettingsPage() {
  return (
    <Page title="Account" description="Your password and sessions, in all workspaces.">
      <AccountPanels />
    </Page>
  );
}
