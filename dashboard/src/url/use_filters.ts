import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type Range, resolveRange } from "./range.ts";

/** Parameters of an address that open something beside the list, or choose its columns. */
export const passing: readonly string[] = ["event", "message", "entry", "columns"];

/** The filters in the page's address, and a function that changes some of them and stays the same. */
export function useFilters() {
  const filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const setFilters = useCallback((changes: Partial<typeof filters>) => {
    void navigate({
      to: ".",
      search: (current: typeof filters) => ({ ...current, ...changes }),
      state: true,
      replace: true,
    });
  }, [navigate]);
  return { filters, setFilters };
}

/** Parameters that are one filter together. */
const rangeParts = ["range", "since", "until"];

/** The number of filters that narrow the page's list. */
export function useFilterCount(): number {
  const names = Object.entries(useFilters().filters)
    .filter(([name, value]) => value !== undefined && name !== "sort" && !passing.includes(name))
    .map(([name]) => rangeParts.includes(name) ? "range" : name);
  return new Set(names).size;
}

/** The time range of the page. It stays the same until another one is chosen. */
export function useRange(fallback: string): Range {
  const { range, since, until } = useFilters().filters;
  return useMemo(() => resolveRange({ range, since, until }, fallback), [range, since, until]);
}

/** Like `useRange`, but an address without a range means any time. */
export function useOptionalRange(): Partial<Range> {
  const { range, since, until } = useFilters().filters;
  return useMemo(
    () => range || since || until ? resolveRange({ range, since, until }) : {},
    [range, since, until],
  );
}

/** Returns whether the page's address limits the time. */
export function useHasRange(): boolean {
  const { range, since, until } = useFilters().filters;
  return Boolean(range || since || until);
}

/** Returns a function that removes every filter from the page's address. */
export function useClearFilters(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: ".", search: {}, state: true, replace: true });
}
