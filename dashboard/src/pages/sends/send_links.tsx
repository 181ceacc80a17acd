import { Anchor, Group } from "@mantine/core";
import type { Send } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import type { NextStep } from "./find_next_step.ts";

interface SendLinksProps {
  send: Send;
  step: NextStep | null;
}

/** Leads to the next step for an email, and to everything that was checked for a customer's. */
export function SendLinks({ send, step }: SendLinksProps) {
  const { id } = useWorkspace();
  const { purpose, customer_id, campaign_id, journey_id } = send;
  const explained = linkTo(`/w/${id}/sends/explain`, {
    customer_id: customer_id ?? undefined,
    campaign_id: campaign_id ?? undefined,
    journey_id: journey_id ?? undefined,
  });
  return (
    <Group gap="md">
      {step && (
        <Anchor {...linkTo(`/w/${id}${step.path}`, step.search)} size="sm">{step.label}</Anchor>
      )}
      {purpose === "message" && (
        <Anchor {...explained} size="sm">See everything that was checked</Anchor>
      )}
    </Group>
  );
}
