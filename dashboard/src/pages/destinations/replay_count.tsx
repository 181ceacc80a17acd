import { Alert, Group, Loader, Text } from "@mantine/core";
import { countOf, formatCount } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import type { ReplayPreview } from "./use_replay_preview.ts";

interface ReplayCountProps {
  preview: ReplayPreview;
  /** The number of messages that wait for the destination. */
  waiting: number;
}

/** Says how many messages would be resent, and that those that wait need nothing. */
export function ReplayCount({ preview, waiting }: ReplayCountProps) {
  const { data, error, isFetching, refetch } = preview;
  if (error && !isFetching) return <ErrorState error={error} retry={refetch} />;
  return (
    <Alert color="gray" aria-live="polite" aria-busy={isFetching}>
      {data === undefined
        ? (
          <Group gap="xs">
            <Loader size="xs" />
            <Text size="sm">Counting…</Text>
          </Group>
        )
        : (
          <Text size="sm" c={isFetching ? "dimmed" : undefined} className="tabular">
            {describeCount(data)}
            {waiting > 0 && ` ${describeWaiting(waiting)}`}
          </Text>
        )}
    </Alert>
  );
}

function describeCount({ matched, is_exact }: NonNullable<ReplayPreview["data"]>) {
  if (!is_exact) {
    return (
      <>
        More than 10,000 attempts failed in this period. At least{" "}
        <b>{countOf(matched, "message")}</b> will be resent.
      </>
    );
  }
  if (matched === 0) return "No message of this period has to be resent.";
  return (
    <>
      <b>{countOf(matched, "message")}</b> failed or {matched === 1 ? "was" : "were"}{" "}
      given up, and will be resent.
    </>
  );
}

function describeWaiting(count: number): string {
  return count === 1
    ? "The one that waits is sent automatically."
    : `The ${formatCount(count)} that wait are sent automatically.`;
}
