import { defineExport } from "../../kernel/define_export.ts";
import { listRuns } from "./list_runs.ts";

export const exportRuns = defineExport(listRuns, {
  operationId: "exportRuns",
  path: "/journeys/{id}/runs/export",
  summary: "Export the runs of a journey",
  nameFile: ({ params }) => `${String(params.id)}-runs`,
});
