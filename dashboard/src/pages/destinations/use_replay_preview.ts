import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ApiBody } from "../../api/use_api.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";

export type ReplayRange = ApiBody<"POST /destinations/{id}/replay-preview">;

const delayMs = 400;

/** Counts the messages that a replay of a range would resend, shortly after its last change. */
export function useReplayPreview(
  destinationId: string,
  range: ReplayRange | undefined,
  enabled: boolean,
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const text = range && JSON.stringify(range);
  const [settled] = useDebouncedValue(text, delayMs);
  const isSettled = text !== undefined && settled === text;
  const preview = useQuery({
    queryKey: [workspaceId, "replay preview", destinationId, settled],
    queryFn: ({ signal }) =>
      api.call("POST /destinations/{id}/replay-preview", {
        params: { id: destinationId },
        body: JSON.parse(settled ?? "{}") as ReplayRange,
        signal,
      }),
    enabled: enabled && isSettled,
    placeholderData: keepPreviousData,
    // Each opening counts again.
    gcTime: 0,
  });
  return { ...preview, isFetching: !isSettled || preview.isFetching };
}

export type ReplayPreview = ReturnType<typeof useReplayPreview>;
