import { Alert, Group, Loader, Text } from "@mantine/core";
import { countOf } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import type { ReplayPreview } from "./use_replay_preview.ts";

/** Says how many messages would be resent. */
export function ReplayCount({ preview }: { preview: ReplayPreview }) {
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
      <b>{countOf(matched, "message")}</b> will be resent.
    </>
  );
}
