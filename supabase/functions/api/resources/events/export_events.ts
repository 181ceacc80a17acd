import { defineExport } from "../../kernel/define_export.ts";
import { listEvents } from "./list_events.ts";

export const exportEvents = defineExport(listEvents, {
  operationId: "exportEvents",
  path: "/events/export",
  summary: "Export events",
  nameFile: () => "events",
});
