import { defineExport } from "../../kernel/define_export.ts";
import { listSegmentCustomers } from "./list_segment_customers.ts";

export const exportSegment = defineExport(listSegmentCustomers, {
  operationId: "exportSegment",
  path: "/segments/{id}/export",
  summary: "Export the members of a segment",
  nameFile: ({ params }) => String(params.id),
});
