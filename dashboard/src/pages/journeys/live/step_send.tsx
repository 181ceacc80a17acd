import { Anchor } from "@mantine/core";
import { useApiItem } from "../../../api/use_api.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { linkTo } from "../../../ui/link_to.ts";
import { summarizeSend } from "../../sends/describe_send.ts";

const refreshMs = 5_000;
const unfinished: readonly string[] = ["queued", "sending"];

/** Links to the email that a step sent, with its state. Empty once the email is deleted. */
export function StepSend({ sendId }: { sendId: string }) {
  const { id } = useWorkspace();
  const { data } = useApiItem("GET /sends/{id}", { params: { id: sendId } }, {
    refetchInterval: (send) => send && unfinished.includes(send.state) ? refreshMs : false,
  });
  if (data?.id !== sendId) return null;
  return (
    <Anchor {...linkTo(`/w/${id}/sends/${sendId}`)} size="sm" className="break-anywhere">
      {summarizeSend(data)}
    </Anchor>
  );
}
