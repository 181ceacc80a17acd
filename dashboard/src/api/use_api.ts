import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { useServices } from "./services.ts";
import { useWorkspace } from "./workspace.ts";
import type { ApiAnswer, ApiInput, RouteName } from "./api_client.ts";
import type { List } from "./types.ts";

export type ReadRoute = Extract<RouteName, `GET ${string}`>;
export type WriteRoute = Exclude<RouteName, ReadRoute>;
export type ListRoute = {
  [Name in ReadRoute]: ApiAnswer<Name> extends List<unknown> ? Name : never;
}[ReadRoute];
type Row<Name extends ListRoute> = ApiAnswer<Name> extends List<infer Item> ? Item : never;

/** The body of a call. */
export type ApiBody<Name extends WriteRoute> = NonNullable<ApiInput<Name>["body"]>;

/** Asks again after so many milliseconds; false: never. */
type Interval = number | false;

/** The api, as the signed-in user, in the workspace that is shown. */
export function useApi() {
  const { makeApi } = useServices();
  const { id } = useWorkspace();
  return useMemo(() => makeApi(id), [makeApi, id]);
}

interface ItemOptions<T> {
  refetchInterval?: Interval | ((data: T | undefined) => Interval);
  enabled?: boolean;
}

/** One resource of the workspace. */
export function useApiItem<Name extends ReadRoute>(
  route: Name,
  input: ApiInput<Name>,
  options: ItemOptions<ApiAnswer<Name>> = {},
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { refetchInterval = false, enabled = true } = options;
  return useQuery<ApiAnswer<Name>>({
    queryKey: [workspaceId, route, input],
    queryFn: ({ signal }) => api.call(route, { ...input, signal }),
    refetchInterval: typeof refetchInterval === "function"
      ? ({ state }) => refetchInterval(state.data)
      : refetchInterval,
    enabled,
    placeholderData: keepPreviousData,
  });
}

interface ListOptions {
  refetchInterval?: Interval;
  enabled?: boolean;
  /** Read once: not again when the page is looked at again. */
  isKept?: boolean;
}

/** More than a screen shows; the next page is read before its end is reached. */
const PAGE = 25;

/** A list of the workspace, page after page. */
export function useApiList<Name extends ListRoute>(
  route: Name,
  input: ApiInput<Name>,
  options: ListOptions = {},
): ListQuery<Row<Name>> {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const list = useInfiniteQuery({
    queryKey: listKey(workspaceId, route, input),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...input.query, ...pageParam ? { cursor: pageParam } : {} };
      // Which list it is decides what it takes and answers, which the compiler does not follow.
      const call = { ...input, query, signal } as unknown as ApiInput<Name>;
      return await api.call(route, call) as unknown as List<Row<Name>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: List<Row<Name>>) => page.next_cursor,
    // Whoever reads on is not interrupted, and asking for many pages again is not cheap.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 1 ? false : options.refetchInterval ?? false,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
    ...options.isKept ? { staleTime: Infinity } : {},
  });
  return list;
}

export type ListQuery<T> = UseInfiniteQueryResult<InfiniteData<List<T>>>;

/** Under which the pages of a list are kept. */
export function listKey(workspaceId: string, route: ListRoute, input: unknown) {
  return [workspaceId, route, "list", input];
}

/** The rows of all pages so far. */
export function listRows<T>(list: ListQuery<T>): T[] {
  return list.data?.pages.flatMap((page) => page.data) ?? [];
}

interface ActionOptions<Answer> {
  onSuccess?: (answer: Answer) => void;
  onError?: (error: Error) => void;
}

/** Changes something; afterwards everything of the workspace is read again. */
export function useApiAction<Name extends WriteRoute, Input = void>(
  route: Name,
  makeInput: (input: Input) => ApiInput<Name>,
  { onSuccess, onError }: ActionOptions<ApiAnswer<Name>> = {},
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const queries = useQueryClient();
  return useMutation<ApiAnswer<Name>, Error, Input>({
    mutationFn: (input) => api.call(route, makeInput(input)),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: [workspaceId] });
      onSuccess?.(answer);
    },
    onError,
  });
}
