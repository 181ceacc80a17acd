import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import type { ApiResponse } from "../../../../supabase/functions/api/contract/client.ts";
import type { RejectedEntry } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { ExactTime } from "../../ui/time_ago.tsx";

/** The entries that a rejected entry became. */
export type ResentResults = ApiResponse<"POST /rejected-entries/{id}/resend">["results"];

interface ResentProps {
  entry: RejectedEntry;
  /** Known only to the page that resent the entry. */
  results: ResentResults | undefined;
}

/**
 * Links to the customers and the event of a resent entry, and says when it was resent. An identify or
 * alias has no event. The customers are known first, and come first: a link that moves under the
 * mouse is not pressed.
 */
export function Resent({ entry, results = [] }: ResentProps) {
  const { id } = useWorkspace();
  const { resent_at: time, resent_event_id: eventId } = entry;
  return (
    <Alert color="green" icon={<CheckIcon />} title="Resent">
      <Stack gap={4} align="flex-start">
        {results.map(({ event_id, customer_id }) => (
          <Anchor key={event_id} size="sm" {...linkTo(`/w/${id}/customers/${customer_id}`)}>
            View on the customer’s timeline
          </Anchor>
        ))}
        {eventId !== null && (
          <Anchor size="sm" {...linkTo(`/w/${id}/events`, { event: eventId })}>
            View the event
          </Anchor>
        )}
        {time !== null && (
          <Text size="sm" component="div">
            <ExactTime time={time} />
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
