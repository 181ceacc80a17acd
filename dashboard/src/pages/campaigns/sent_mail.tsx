import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Campaign } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { RenderedMail } from "../../ui/rendered_mail.tsx";

const refreshMs = 5_000;
/** Sends among which one to a customer is sought: test emails come among them. */
const mostSends = 10;

interface SentMailProps {
  campaign: Campaign;
  templateId: string;
  /** Line of the sender's address. */
  from: string;
  /** Shown if no email is stored. */
  children: ReactNode;
  height: number;
}

/** The newest email that a campaign sent with a template, as its customer got it. */
export function SentMail({ campaign, templateId, from, children, height }: SentMailProps) {
  const { id: workspaceId } = useWorkspace();
  const newest = useApiItem("GET /sends", {
    query: {
      campaign_id: campaign.id,
      template_id: templateId,
      state: "sent",
      limit: mostSends,
    },
  }, {
    refetchInterval: (list) =>
      campaign.state === "sending" && list?.data.length === 0 ? refreshMs : false,
  });
  const found = newest.data?.data.find(({ purpose }) => purpose === "message");
  const send = useApiItem("GET /sends/{id}", { params: { id: found?.id ?? "" } }, {
    enabled: found !== undefined,
  });
  const isLoading = found === undefined ? newest.isPending : send.isPending;
  if (isLoading) return <Text size="sm" c="dimmed" mih={height}>Loading…</Text>;
  const mail = found && send.data;
  if (!mail || mail.subject === null) return children;
  return (
    <RenderedMail
      mail={{ ...mail, subject: mail.subject }}
      fields={[["From", from]]}
      height={height}
    >
      As sent to{" "}
      <Anchor {...linkTo(`/w/${workspaceId}/sends/${mail.id}`)} inherit>
        <bdi>{mail.customer_name ?? mail.email ?? "a customer"}</bdi>
      </Anchor>.
    </RenderedMail>
  );
}
