import type { PagesData } from "./pages/fill_pages.ts";
import { listAutomationPages } from "./pages/automation_pages.ts";
import { listDataPages } from "./pages/data_pages.ts";
import type { PageSpec } from "./pages/page_spec.ts";
import { listWebhookPages } from "./pages/webhook_pages.ts";
import { listWorkspacePages } from "./pages/workspace_pages.ts";

/** Lists every page that needs a session, with its content, its menus and its dialogs. */
export function listPages(workspace: string, data: PagesData): PageSpec[] {
  return [
    ...listDataPages(workspace, data),
    ...listAutomationPages(workspace, data),
    ...listWebhookPages(workspace, data),
    ...listWorkspacePages(workspace),
  ];
}
