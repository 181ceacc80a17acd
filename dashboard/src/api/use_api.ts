import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { pageSize } from "../early/page_size.ts";
import { useServices } from "./services.ts";
import { useWorkspace } from "./workspace.ts";
import { type ApiInput, type ApiResponse, isConflict, type RouteName } from "./api_client.ts";
import { readAll } from "./read_all.ts";
import { useHeldFocus } from "./use_held_focus.ts";
import { useSingleMutation } from "./use_single_mutation.ts";
import type { List } from "./types.ts";

export type ReadRoute = Extract<RouteName, `GET ${string}`>;
export type WriteRoute = Exclude<RouteName, ReadRoute>;
export type ListRoute = {
  [Name in ReadRoute]: ApiResponse<Name> extends List<unknown> ? Name : never;
}[ReadRoute];
type Row<Name extends ListRoute> = ApiResponse<Name> extends List<infer Item> ? Item : never;

/** The body of a call. */
export type ApiBody<Name extends WriteRoute> = NonNullable<ApiInput<Name>["body"]>;

/** Milliseconds until the next request; false for none. */
type Interval = number | false;

/** The api client of the signed-in user in the open workspace. */
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
  options: ItemOptions<ApiResponse<Name>> = {},
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { refetchInterval = false, enabled = true } = options;
  return useQuery<ApiResponse<Name>>({
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
  /** Reads the list once, and not again when the page gets the focus. */
  isKept?: boolean;
}

/** A list of the workspace, read page by page. */
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
      const query = { limit: pageSize, ...input.query, ...pageParam ? { cursor: pageParam } : {} };
      // The route decides the types of input and response, which the compiler cannot follow.
      const call = { ...input, query, signal } as unknown as ApiInput<Name>;
      return await api.call(route, call) as unknown as List<Row<Name>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: List<Row<Name>>) => page.next_cursor,
    // Reading on must not be interrupted, and reading many pages again is expensive.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 1 ? false : options.refetchInterval ?? false,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
    ...options.isKept ? { staleTime: Infinity } : {},
  });
  return list;
}

interface WholeListOptions {
  enabled?: boolean;
  refetchInterval?: Interval;
}

/** All rows of a list of the workspace, however many there are; empty until all are read. */
export function useWholeList<Name extends ListRoute>(
  route: Name,
  input: ApiInput<Name>,
  options: WholeListOptions = {},
): Row<Name>[] {
  return useReadList(route, input, options).rows;
}

const noRows: never[] = [];

/** Like `useWholeList`, and tells rows that are not read yet from rows that do not exist. */
export function useReadList<Name extends ListRoute>(
  route: Name,
  input: ApiInput<Name>,
  { enabled = true, refetchInterval = false }: WholeListOptions = {},
): { rows: Row<Name>[]; isRead: boolean } {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery({
    queryKey: [workspaceId, route, "whole list", input],
    queryFn: ({ signal }) =>
      readAll(async (page) => {
        const query = { ...input.query, ...page };
        const call = { ...input, query, signal } as unknown as ApiInput<Name>;
        return await api.call(route, call) as unknown as List<Row<Name>>;
      }),
    staleTime: 60_000,
    refetchInterval,
    enabled,
  });
  return { rows: data ?? noRows, isRead: data !== undefined };
}

export type ListQuery<T> = UseInfiniteQueryResult<InfiniteData<List<T>>>;

/** Query key of a list. */
export function listKey(workspaceId: string, route: ListRoute, input: unknown) {
  return [workspaceId, route, "list", input];
}

/** Returns the rows of all pages read so far. */
export function listRows<T>(list: ListQuery<T>): T[] {
  return list.data?.pages.flatMap((page) => page.data) ?? [];
}

interface ActionOptions<ResponseBody> {
  onSuccess?: (response: ResponseBody) => void;
  onError?: (error: Error) => void;
}

/**
 * Changes something, then reads the data of the workspace again. A call made while one is running
 * joins it, so that a double click acts once.
 */
export function useApiAction<Name extends WriteRoute, Input = void>(
  route: Name,
  makeInput: (input: Input) => ApiInput<Name>,
  { onSuccess, onError }: ActionOptions<ApiResponse<Name>> = {},
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const queries = useQueryClient();
  const action = useSingleMutation<ApiResponse<Name>, Input>({
    mutationFn: (input) => api.call(route, makeInput(input)),
    onSuccess: (response) => {
      void queries.invalidateQueries({ queryKey: [workspaceId] });
      onSuccess?.(response);
    },
    onError: (error) => {
      // Somebody else was first: the page shows what there is now.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: [workspaceId] });
      onError?.(error);
    },
  });
  const holdFocus = useHeldFocus(action.isPending);
  const mutateAsync: typeof action.mutateAsync = (...call) => {
    holdFocus();
    return action.mutateAsync(...call);
  };
  const mutate: typeof action.mutate = (...call) => {
    holdFocus();
    action.mutate(...call);
  };
  return { ...action, mutate, mutateAsync };
}
