import { createAlertRule } from "./create_alert_rule.ts";
import { deleteAlertRule } from "./delete_alert_rule.ts";
import { getAlertRule } from "./get_alert_rule.ts";
import { listAlertRules } from "./list_alert_rules.ts";
import { testAlertRule } from "./test_alert_rule.ts";
import { updateAlertRule } from "./update_alert_rule.ts";

/** Routes of this resource. */
export const alertRuleRoutes = [
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  testAlertRule,
  updateAlertRule,
] as const;
