import { settingsEntry as account } from "../pages/account/mod.ts";
import { settingsEntry as apiKeys } from "../pages/api_keys/mod.ts";
import { settingsEntry as auditLog } from "../pages/audit_log/mod.ts";
import { settingsEntry as workspace } from "../pages/settings/mod.ts";
import { settingsEntry as team } from "../pages/team/mod.ts";
import { settingsEntry as usage } from "../pages/usage/mod.ts";
import type { NavigationEntry } from "../ui/navigation_entry.ts";

/** The pages of settings, in their order. */
export const settingsEntries: readonly NavigationEntry[] = [
  workspace,
  apiKeys,
  team,
  usage,
  auditLog,
  account,
];
