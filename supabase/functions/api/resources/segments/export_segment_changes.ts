import { defineExport } from "../../kernel/define_export.ts";
import { listSegmentChanges } from "./list_segment_changes.ts";

export const exportSegmentChanges = defineExport(listSegmentChanges, {
  operationId: "exportSegmentChanges",
  path: "/segments/{id}/changes/export",
  summary: "Export the customers that entered and left a segment",
  nameFile: ({ params }) => `${String(params.id)}-changes`,
});
