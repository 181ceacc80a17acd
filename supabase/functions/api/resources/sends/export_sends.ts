import { defineExport } from "../../kernel/define_export.ts";
import { listSends } from "./list_sends.ts";

export const exportSends = defineExport(listSends, {
  operationId: "exportSends",
  path: "/sends/export",
  summary: "Export sends",
  nameFile: () => "sends",
});
