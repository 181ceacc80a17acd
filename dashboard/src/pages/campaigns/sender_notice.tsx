import { Alert, Anchor, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { Campaign, Sender } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { describeNextStep } from "../senders/describe_next_step.ts";
import { canSend, describeTrouble } from "./campaign_sender.ts";

interface NoticeProps {
  campaign: Campaign;
  /** Undefined until it is read. */
  sender: Sender | undefined;
}

/** Says that a campaign cannot send because of its sender; nothing while the sender works. */
export function SenderNotice({ campaign, sender }: NoticeProps) {
  const { id: workspaceId } = useWorkspace();
  const trouble = sender && describeTrouble(sender);
  if (!sender || !trouble || !canSend(campaign)) return null;
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon />}
      title={
        <>
          The sender <bdi>{sender.name}</bdi> {trouble}
        </>
      }
    >
      <Text size="sm" className="break-anywhere">{describeNextStep(sender)}</Text>
      <Anchor {...linkTo(`/w/${workspaceId}/senders/${sender.id}`)} size="sm">
        Open the sender
      </Anchor>
    </Alert>
  );
}
