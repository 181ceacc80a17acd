import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { AlertIcon, PauseIcon } from "@primer/octicons-react";
import { useEffect } from "react";
import type { Destination } from "../../api/types.ts";
import { listRows, useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { isDue } from "../../format/time.ts";
import { showError } from "../../ui/show_error.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { nameError } from "../deliveries/outcome_badge.tsx";
import { TriedResult } from "../messages/tried_result.tsx";
import { useTryNow } from "../messages/use_try_now.ts";
import { JobProgress } from "./job_progress.tsx";

/** Says why a destination gets nothing, and what to do about missed messages. */
export function DestinationNotices({ destination }: { destination: Destination }) {
  const { enabled, health } = destination;
  const tryNow = useTryNow();
  useEffect(() => {
    if (tryNow.error) showError(tryNow.error);
  }, [tryNow.error]);
  return (
    <>
      {!enabled && (
        <Alert color="orange" icon={<AlertIcon />} title="This destination is disabled">
          {destination.disabled_reason}. New messages are saved as missed. Enable the destination to
          deliver them.
        </Alert>
      )}
      {enabled && <Missed destination={destination} />}
      {enabled && health.next_probe_at !== null && (
        <Paused destination={destination} nextAt={health.next_probe_at} tryNow={tryNow} />
      )}
      {!(enabled && health.next_probe_at) && tryNow.result && (
        <Alert color="gray">
          <TriedResult result={tryNow.result} />
        </Alert>
      )}
    </>
  );
}

/** Counts the missed messages of an enabled destination, and delivers them. */
function Missed({ destination: { id, health } }: { destination: Destination }) {
  const isMember = useMay("member");
  const recover = useApiAction(
    "POST /destinations/{id}/recover",
    () => ({ params: { id }, body: {} }),
    { onError: showError },
  );
  if (recover.data) return <JobProgress job={recover.data} />;
  if (health.missed === 0) return null;
  return (
    <Alert color="grape" icon={<AlertIcon />} title={`${countOf(health.missed, "message")} missed`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" component="div">
          Created while the destination was disabled, since <TimeAgo time={health.missed_since} />.
        </Text>
        {isMember && (
          <Button
            size="xs"
            loading={recover.isPending}
            onClick={() => recover.mutate()}
          >
            Deliver missed
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface PausedProps {
  destination: Destination;
  nextAt: string;
  tryNow: ReturnType<typeof useTryNow>;
}

/** The circuit breaker is open. */
function Paused({ destination, nextAt, tryNow }: PausedProps) {
  const { pending, last_error } = destination.health;
  return (
    <Alert color="orange" icon={<PauseIcon />} title="Paused after failures">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" component="div">
          {last_error && `Last failure: ${nameError(last_error)}. `}
          {isDue(nextAt) ? "The next try is due now. " : (
            <>
              Next try <TimeAgo time={nextAt} />.{" "}
            </>
          )}
          {countOf(pending, "waiting message")} {pending === 1 ? "is" : "are"}{" "}
          sent automatically once an attempt succeeds.
        </Text>
        <Group gap="sm">
          <TryNow destinationId={destination.id} tryNow={tryNow} />
          <TriedResult result={tryNow.result} />
        </Group>
      </Stack>
    </Alert>
  );
}

interface TryNowProps extends Pick<PausedProps, "tryNow"> {
  destinationId: string;
}

/** Sends one waiting message without waiting for the next try. */
function TryNow({ destinationId: destination_id, tryNow }: TryNowProps) {
  const isMember = useMay("member");
  const held = useApiList("GET /messages", {
    query: { destination_id, state: "held", limit: 1 },
  }, { refetchInterval: 5_000 });
  const message = listRows(held)[0];
  if (!isMember || !(message || tryNow.isBusy)) return null;
  return (
    <Button size="xs" loading={tryNow.isBusy} onClick={() => message && tryNow.start(message)}>
      Try now
    </Button>
  );
}
