import { Alert, Text } from "@mantine/core";
import { AlertIcon, ClockIcon } from "@primer/octicons-react";
import type { Send } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { formatLocal } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeWait } from "./describe_wait.ts";
import { findNextStep } from "./find_next_step.ts";
import { SendLinks } from "./send_links.tsx";

const refreshMs = 10_000;

/** Says what a message waits for, when it is tried next, and where to settle it. */
export function WaitNotice({ send }: { send: Send }) {
  const zone = useZone();
  const { data: sender } = useApiItem("GET /senders/{id}", { params: { id: send.sender } }, {
    refetchInterval: refreshMs,
  });
  const { title, color, step: ofSender } = describeWait(send, sender, new Date());
  const step = ofSender ?? findNextStep(send);
  return (
    <Alert
      color={color}
      icon={color === "blue" ? <ClockIcon /> : <AlertIcon />}
      title={title}
      mb="lg"
    >
      {send.next_attempt_at !== null && (
        <Text size="sm" component="div" mb="xs">
          Next attempt: <span className="tabular">{formatLocal(send.next_attempt_at, zone)}</span>,
          {" "}
          <TimeAgo time={send.next_attempt_at} />
        </Text>
      )}
      <SendLinks send={send} step={step} />
    </Alert>
  );
}
