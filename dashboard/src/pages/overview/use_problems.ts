import { useOpenAlerts, useRejectedToday } from "../../api/use_unresolved.ts";
import { listProblems } from "./list_problems.ts";
import { useDestinationHealth } from "./use_destination_health.ts";
import { useSenders, useSendingCampaigns } from "./use_sending.ts";

/** Reads the problems that need attention, the most severe first; a part of them until all is read. */
export function useProblems() {
  return listProblems({
    destinations: useDestinationHealth().data?.data ?? [],
    senders: useSenders().data?.data ?? [],
    campaigns: useSendingCampaigns().data?.data ?? [],
    alerts: useOpenAlerts().data?.data ?? [],
    rejected: useRejectedToday().data,
  });
}
