import { useEffect, useState } from "react";
import type { Message, MessageDetail } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useHeldFocus } from "../../api/use_held_focus.ts";
import { describeTried, findNewAttempt } from "./describe_tried.ts";

const pollMs = 1_000;
const patienceMs = 10_000;
const latePollMs = 5_000;

/** Tries a message now, waits for the attempt and says what came of it. */
export function useTryNow() {
  const [tried, setTried] = useState<Message>();
  const [isLate, setLate] = useState(false);
  const action = useApiAction("POST /messages/{id}/try-now", (message: Message) => ({
    params: { id: message.id },
    body: { destination_id: message.destination_id },
  }));
  const asked = action.isSuccess ? tried : undefined;
  const hasNewAttempt = (data: MessageDetail | undefined) =>
    asked !== undefined && findNewAttempt(asked, findState(data, asked)) !== null;
  const { data } = useApiItem("GET /messages/{id}", { params: { id: asked?.id ?? "" } }, {
    enabled: asked !== undefined,
    refetchInterval: (read) => hasNewAttempt(read) ? false : isLate ? latePollMs : pollMs,
  });
  const isWaiting = asked !== undefined && !isLate && !hasNewAttempt(data);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const isBusy = action.isPending || isWaiting;
  const holdFocus = useHeldFocus(isBusy);
  return {
    isBusy,
    error: action.error,
    result: asked && describeTried(asked, findState(data, asked), isLate),
    start(message: Message) {
      holdFocus();
      // The page may show the message from before the last attempt.
      setTried(findState(data, message) ?? message);
      setLate(false);
      action.mutate(message);
    },
  };
}

/** Returns the state of a message at its destination; undefined while another message is read. */
function findState(data: MessageDetail | undefined, { id, destination_id }: Message) {
  return data?.id === id
    ? data.destinations.find((each) => each.destination_id === destination_id)
    : undefined;
}
