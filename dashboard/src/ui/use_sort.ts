import { useFilters } from "../url/use_filters.ts";

/** Order of a list by time, as the page's address chooses it. */
export function useTimeSort(): "newest" | "oldest" {
  return useFilters().filters.sort === "oldest" ? "oldest" : "newest";
}

/** Order of a list of named resources, as the page's address chooses it. */
export function useNameSort(): "newest" | "oldest" | "name" {
  const { sort } = useFilters().filters;
  return sort === "oldest" || sort === "name" ? sort : "newest";
}
