import type { LargeWorkspace } from "../data/large_workspace.ts";
import type { ApiRead } from "./api_read.ts";

/** Lists the reads of lists in other orders than the newest first. */
export function listSortedReads({ sourceIds, destinationIds }: LargeWorkspace): ApiRead[] {
  const paths: Record<string, readonly string[]> = {
    listCustomers: ["/customers?sort=oldest"],
    listDestinations: ["/destinations?sort=oldest", "/destinations?sort=name"],
    listDeliveries: [
      "/deliveries?sort=oldest",
      "/deliveries?sort=oldest&ok=false",
      `/deliveries?sort=oldest&destination_id=${destinationIds[0]}`,
    ],
    listSegments: ["/segments?sort=name"],
    listJourneys: ["/journeys?sort=name"],
    listCampaigns: ["/campaigns?sort=name"],
    listSources: ["/sources?sort=name"],
    listReceipts: [`/sources/${sourceIds[0]}/receipts?sort=oldest`],
    listRejectedEntries: [
      "/rejected-entries?sort=oldest",
      "/rejected-entries?sort=oldest&code=not_found",
      "/rejected-entries?sort=oldest&field=external_id",
    ],
    listTemplates: ["/templates?sort=name"],
    listTopics: ["/topics?sort=name"],
    listSenders: ["/senders?sort=name"],
    listSends: ["/sends?sort=oldest"],
    listAuditLog: ["/audit-log?sort=oldest", "/audit-log?sort=oldest&action=customer.update"],
  };
  return Object.entries(paths).flatMap(([operationId, of]) =>
    of.map((path) => ({ operationId, title: path, path: () => path }))
  );
}
