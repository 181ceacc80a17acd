import type { Page } from "playwright-core";
import {
  anyTime,
  createPageMaker,
  type PageMaker,
  type PageSpec,
  pressButton,
  pressItem,
} from "./page_spec.ts";

/** Settings, and what opens over every page. */
export function listWorkspacePages(workspace: string): PageSpec[] {
  const page = createPageMaker(workspace);
  return [
    page("api_keys", ["/settings/api-keys", "Active"]),
    page("new_key", ["/settings/api-keys", "Send events"], pressButton("New key")),
    page("team", ["/settings/team", "Invite"]),
    page("invite", ["/settings/team", "Invite to the team"], pressButton("Invite")),
    { name: "invitations", path: "/invitations", shows: "No open invitations", isAlone: true },
    page("usage", ["/settings/usage", "The busiest"]),
    page("audit_log", ["/settings/audit-log", anyTime]),
    page("account", ["/settings/account", "Sign out everywhere else"]),
    {
      name: "own_account",
      path: "/account",
      shows: "Go to your workspaces",
      isAlone: true,
    },
    page(
      "audit_entry",
      ["/settings/audit-log", "Target ID"],
      (page) => page.getByRole("row").nth(1).getByRole("button").click(),
    ),
    page("settings", ["/settings", "Delete workspace"]),
    page("delete_workspace", ["/settings", "to confirm"], pressButton("Delete workspace")),
    // Alone, because the page that comes between two others shows the same.
    { ...page("missing", ["/nonsense", "Page not found"]), isAlone: true },
    ...listShellPages(page).map((spec) => ({ ...spec, isAlone: true })),
  ];
}

function listShellPages(page: PageMaker): PageSpec[] {
  const switcher = /Switch workspace/;
  return [
    page("workspace_menu", ["/settings", "New workspace"], pressButton(switcher)),
    page(
      "new_workspace",
      ["/settings", "one of its environments"],
      pressItem(switcher, "New workspace"),
    ),
    page("user_menu", ["/settings", "API reference"], pressButton(/sign out/)),
    page("alerts_bell", ["/settings", "All alerts and rules"], pressButton(/open alert/)),
    page("search", ["/settings", "New destination"], pressButton("Search")),
    page("search_hits", ["/settings", "Ada Lovelace"], async (page) => {
      await pressButton("Search")(page);
      await page.getByRole("combobox", { name: "Search" }).fill("person1@example.com");
    }),
    page(
      "shortcuts",
      ["/settings", "Keyboard shortcuts"],
      async (page: Page) => {
        // Keys count once the page listens to them.
        await page.getByRole("button", { name: "Search" }).waitFor();
        await page.keyboard.press("?");
      },
    ),
  ];
}
