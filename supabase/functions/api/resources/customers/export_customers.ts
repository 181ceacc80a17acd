import { defineExport } from "../../kernel/define_export.ts";
import { listCustomers } from "./list_customers.ts";

export const exportCustomers = defineExport(listCustomers, {
  operationId: "exportCustomers",
  path: "/customers/export",
  summary: "Export customers",
  nameFile: () => "customers",
});
