import { defineExport } from "../../kernel/define_export.ts";
import { listSuppressions } from "./list_suppressions.ts";

export const exportSuppressions = defineExport(listSuppressions, {
  operationId: "exportSuppressions",
  path: "/suppressions/export",
  summary: "Export suppressed addresses",
  nameFile: () => "suppressions",
});
