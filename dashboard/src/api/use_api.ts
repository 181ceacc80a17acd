import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useServices } from "../services.ts";
import { useWorkspace } from "../workspace.ts";
import type { ApiRequest, Query } from "./api_client.ts";
import type { List } from "./types.ts";

interface Options {
  query?: Query;
  enabled?: boolean;
}

/** Asks again after so many milliseconds; false: never. */
type Interval = number | false;

interface ItemOptions<T> extends Options {
  refetchInterval?: Interval | ((data: T | undefined) => Interval);
}

interface ListOptions extends Options {
  refetchInterval?: Interval;
  limit?: number;
}

/** One resource of the workspace. */
export function useApiItem<T>(path: string, options: ItemOptions<T> = {}) {
  const { api } = useServices();
  const { id: workspaceId } = useWorkspace();
  const { refetchInterval = false } = options;
  return useQuery({
    queryKey: [workspaceId, path, options.query ?? {}],
    queryFn: ({ signal }) =>
      api.request<T>(path, { query: options.query ?? {}, workspaceId, signal }),
    refetchInterval: typeof refetchInterval === "function"
      ? ({ state }) => refetchInterval(state.data)
      : refetchInterval,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
  });
}

export type ItemQuery<T> = ReturnType<typeof useApiItem<T>>;

/** A list of the workspace, page after page. */
export function useApiList<T>(path: string, options: ListOptions = {}) {
  const { api } = useServices();
  const { id: workspaceId } = useWorkspace();
  const query = { limit: options.limit ?? 50, ...options.query };
  return useInfiniteQuery({
    queryKey: [workspaceId, path, "list", query],
    queryFn: ({ pageParam, signal }) =>
      api.request<List<T>>(path, {
        query: { ...query, cursor: pageParam ?? undefined },
        workspaceId,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Whoever reads on is not interrupted, and asking for many pages again is not cheap.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 1 ? false : options.refetchInterval ?? false,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
  });
}

export type ListQuery<T> = ReturnType<typeof useApiList<T>>;

/** The rows of all pages so far. */
export function listRows<T>(list: ListQuery<T>): T[] {
  return list.data?.pages.flatMap((page) => page.data) ?? [];
}

interface ActionOptions<Answer> {
  onSuccess?: (answer: Answer) => void;
  onError?: (error: Error) => void;
}

/** Changes something; afterwards everything of the workspace is read again. */
export function useApiAction<Answer, Input = void>(
  makeRequest: (input: Input) => { path: string } & ApiRequest,
  { onSuccess, onError }: ActionOptions<Answer> = {},
) {
  const { api } = useServices();
  const { id: workspaceId } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => {
      const { path, ...request } = makeRequest(input);
      return api.request<Answer>(path, { method: "POST", workspaceId, ...request });
    },
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: [workspaceId] });
      onSuccess?.(answer);
    },
    onError,
  });
}
