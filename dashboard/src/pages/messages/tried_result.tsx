import { Anchor, Text } from "@mantine/core";
import { useWorkspace } from "../../api/workspace.ts";
import { isDue } from "../../format/time.ts";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import type { TriedText } from "./describe_tried.ts";

/** Says what came of trying a message now, with a link to the attempt. */
export function TriedResult({ result }: { result: TriedText | undefined }) {
  const { id } = useWorkspace();
  return (
    <Text size="sm" component="div" role="status">
      {result && (
        <>
          {result.text}
          {result.nextAt && (
            <>
              {" "}
              {isDue(result.nextAt) ? "due now" : <TimeAgo time={result.nextAt} />}.
            </>
          )}
          {result.deliveryId && (
            <>
              {" "}
              <Anchor {...linkTo(`/w/${id}/deliveries/${result.deliveryId}`)} inherit>
                Show the attempt
              </Anchor>
            </>
          )}
        </>
      )}
    </Text>
  );
}
