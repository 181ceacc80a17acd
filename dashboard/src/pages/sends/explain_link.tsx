import { Anchor } from "@mantine/core";
import type { Send } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";

/** Leads to everything that was checked for a message to a customer; nothing for another mail. */
export function ExplainLink({ send }: { send: Send }) {
  const { id } = useWorkspace();
  const { purpose, customer_id, campaign_id, journey_id } = send;
  if (purpose !== "message") return null;
  const link = linkTo(`/w/${id}/sends/explain`, {
    customer_id: customer_id ?? undefined,
    campaign_id: campaign_id ?? undefined,
    journey_id: journey_id ?? undefined,
  });
  return <Anchor {...link} size="sm">See everything that was checked</Anchor>;
}
