import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ApiCallError } from "../../api/api_client.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { joinResults, listCalls } from "./compare.ts";
import type { Result } from "./pictures.ts";
import type { Question } from "./question.ts";
import { createTurns } from "./take_turns.ts";

const maxWaits = 5;

/** The service runs two explorations of a workspace at once, and refuses others. */
const takeTurn = createTurns(2);

/**
 * Asks a question, in its turn. It is cancelled when the page is left, or another one is asked in its
 * place.
 */
export function useExploration(question: Question | undefined) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery<{ question: Question; result: Result }>({
    queryKey: [workspaceId, "explore", question],
    queryFn: ({ signal }) =>
      takeTurn(async () => {
        const asked = question!;
        const results: Result[] = [];
        for (const body of listCalls(asked)) {
          results.push(await api.call(`POST /explore/${asked.kind}`, { body, signal } as never));
        }
        return { question: asked, result: joinResults(asked, results) };
      }, signal),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    // Other people's run too, and each takes 2 s at most.
    retry: (count, error) =>
      count < maxWaits && error instanceof ApiCallError && error.status === 429,
    retryDelay: 1000,
  });
}
