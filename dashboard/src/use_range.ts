import { useMemo } from "react";
import { type Range, resolveRange } from "./range.ts";
import { useFilters } from "./use_filters.ts";

/** The time that the page is about; it stands still until another is chosen. */
export function useRange(fallback: string): Range {
  const { range, since, until } = useFilters().filters;
  return useMemo(() => resolveRange({ range, since, until }, fallback), [range, since, until]);
}

/** As `useRange`, where an address without a time means all of it. */
export function useOptionalRange(): Partial<Range> {
  const { range, since, until } = useFilters().filters;
  return useMemo(
    () => range || since || until ? resolveRange({ range, since, until }) : {},
    [range, since, until],
  );
}
