import { useQuery } from "@tanstack/react-query";
import type { Campaign, Sender, SenderDns } from "../../api/types.ts";
import { useApi, useApiItem, useReadList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { useCampaignSender } from "./campaign_sender.ts";
import { countReached } from "./count_reached.ts";
import { checkBeforeSending, type SendCheck } from "./send_checks.ts";
import { useNameOf } from "./use_name_of.ts";
import { useReview } from "./use_review.ts";

const testsMs = 5_000;
const dnsMs = 10 * 60_000;
/** A campaign that has not begun has tests only. */
const mostTests = 20;

/** Lists the checks of a campaign before it is sent; empty until its templates are read. */
export function useSendChecks(campaign: Campaign): SendCheck[] {
  const sender = useCampaignSender(campaign);
  const templates = useReadList("GET /templates", {});
  const tests = useApiItem("GET /sends", {
    query: { campaign_id: campaign.id, limit: mostTests },
  }, { refetchInterval: testsMs });
  const review = useReview(campaign).data;
  const nameTopic = useNameOf("GET /topics");
  const dns = useDns(sender);
  if (!templates.isRead) return [];
  const used = new Set([campaign.template, ...campaign.variants.map(({ template }) => template)]);
  return checkBeforeSending({
    campaign,
    sender,
    dns,
    templates: templates.rows.filter(({ id }) => used.has(id)),
    sends: tests.data?.data,
    topicName: campaign.topic === null ? null : nameTopic(campaign.topic),
    people: review && countReached(review),
  });
}

/** The DNS records of a sender's domain; undefined for the inbox, and until they are read. */
function useDns(sender: Sender | undefined): SenderDns | undefined {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const id = sender?.id ?? "";
  return useQuery({
    queryKey: [workspaceId, "campaign DNS", id, sender?.from],
    queryFn: ({ signal }) => api.call("GET /senders/{id}/dns", { params: { id }, signal }),
    enabled: sender !== undefined && sender.provider !== "inbox",
    staleTime: dnsMs,
    retry: false,
  }).data;
}
