import { defineExport } from "../../kernel/define_export.ts";
import { listReceipts } from "./list_receipts.ts";

export const exportReceipts = defineExport(listReceipts, {
  operationId: "exportReceipts",
  path: "/sources/{id}/receipts/export",
  summary: "Export the receipts of a source",
  nameFile: ({ params }) => `${String(params.id)}-receipts`,
});
