import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ApiCallError } from "../../api/api_client.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { joinResults, listCalls } from "./compare.ts";
import type { Result } from "./pictures.ts";
import type { Question } from "./question.ts";

const maxWaits = 5;

/** Asks a question. It is cancelled when the page is left, or another one is asked. */
export function useExploration(question: Question | undefined) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery<{ question: Question; result: Result }>({
    queryKey: [workspaceId, "explore", question],
    queryFn: async ({ signal }) => {
      const asked = question!;
      const results: Result[] = [];
      // One after the other: two of a workspace run at once.
      for (const body of listCalls(asked)) {
        results.push(await api.call(`POST /explore/${asked.kind}`, { body, signal } as never));
      }
      return { question: asked, result: joinResults(asked, results) };
    },
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    // Two of a workspace run at once, and each takes 2 s at most.
    retry: (count, error) =>
      count < maxWaits && error instanceof ApiCallError && error.status === 429,
    retryDelay: 1000,
  });
}
