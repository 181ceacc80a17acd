import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Range, resolveRange } from "./range.ts";

/** The filters in the page's address, and a way to change some of them. */
export function useFilters() {
  const filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const setFilters = (changes: Partial<typeof filters>) => {
    void navigate({
      to: ".",
      search: (current: typeof filters) => ({ ...current, ...changes }),
      replace: true,
    });
  };
  return { filters, setFilters };
}

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
