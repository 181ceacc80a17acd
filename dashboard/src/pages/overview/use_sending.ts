import { useApiItem } from "../../api/use_api.ts";

const refreshMs = 15_000;
const mostRead = 50;

/** The senders with their health. */
export function useSenders() {
  return useApiItem("GET /senders", {}, { refetchInterval: refreshMs });
}

/** The campaigns that are being sent. */
export function useSendingCampaigns() {
  return useApiItem("GET /campaigns", { query: { state: "sending", limit: mostRead } }, {
    refetchInterval: refreshMs,
  });
}
