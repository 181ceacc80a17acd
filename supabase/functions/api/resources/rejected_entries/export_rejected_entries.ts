import { defineExport } from "../../kernel/define_export.ts";
import { listRejectedEntries } from "./list_rejected_entries.ts";

export const exportRejectedEntries = defineExport(listRejectedEntries, {
  operationId: "exportRejectedEntries",
  path: "/rejected-entries/export",
  summary: "Export rejected entries",
  nameFile: () => "rejected-entries",
});
