import { useQuery } from "@tanstack/react-query";
import type { ApiResponse } from "../../api/api_client.ts";
import { customerName } from "../../api/customer_name.ts";
import type { Customer } from "../../api/types.ts";
import { useApi, useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";

const keptMs = 30_000;
/** Members among which one with an address is sought. */
const mostMembers = 10;

interface CampaignMail {
  mail: ApiResponse<"POST /templates/{id}/preview"> | undefined;
  error: Error | null;
  /** The customer that it is rendered for; undefined if the segment has none with an address. */
  customer: { id: string; name: string } | undefined;
}

interface MailOptions {
  templateId: string;
  /** Empty while none is chosen. */
  segment: string;
}

/** The newest version of a template, as the newest member of a segment would get it. */
export function useCampaignMail({ templateId, segment }: MailOptions): CampaignMail {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const members = useApiItem("GET /segments/{id}/customers", {
    params: { id: segment },
    query: { limit: mostMembers },
  }, { enabled: segment !== "" });
  const isKnown = segment === "" || members.error !== null ||
    (members.data !== undefined && !members.isPlaceholderData);
  const member = segment === "" || !isKnown ? undefined : members.data?.data.find(hasAddress);
  const { data: mail, error } = useQuery({
    queryKey: [workspaceId, "campaign mail", templateId, member?.id],
    queryFn: () =>
      api.call("POST /templates/{id}/preview", {
        params: { id: templateId },
        body: member === undefined ? {} : { customer_id: member.id },
      }),
    enabled: isKnown,
    staleTime: keptMs,
    retry: false,
  });
  return { mail, error, customer: member && { id: member.id, name: customerName(member) } };
}

function hasAddress({ email }: Customer): boolean {
  return email !== null && email.trim() !== "";
}
