import type { Entities } from "../access/api_entities.ts";

const view = ({ viewId }: Entities) => viewId;

/** Sample calls of saved views. */
export const viewCalls = {
  listViews: { path: () => "/views?list=customers" },
  createView: {
    path: () => "/views",
    get body() {
      const name = `Germans ${crypto.randomUUID()}`;
      return { list: "customers", name, filters: { q: "de" }, columns: ["Customer"] };
    },
  },
  updateView: { entity: view, path: (id: string) => `/views/${id}`, body: { name: "Lovelaces" } },
  deleteView: { entity: view, path: (id: string) => `/views/${id}` },
};

/** Sample calls of exports of lists. */
export const exportCalls = {
  exportCustomers: { path: () => "/customers/export?q=ada" },
  exportEvents: { path: () => "/events/export?format=ndjson" },
  exportMessages: { path: () => "/messages/export" },
  exportDeliveries: { path: () => "/deliveries/export" },
  exportSends: { path: () => "/sends/export" },
  exportSuppressions: { path: () => "/suppressions/export" },
  exportAuditLog: { path: () => "/audit-log/export" },
  exportRejectedEntries: { path: () => "/rejected-entries/export" },
};
