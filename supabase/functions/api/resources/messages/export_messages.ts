import { defineExport } from "../../kernel/define_export.ts";
import { listMessages } from "./list_messages.ts";

export const exportMessages = defineExport(listMessages, {
  operationId: "exportMessages",
  path: "/messages/export",
  summary: "Export messages with their state at each destination",
  nameFile: () => "messages",
});
