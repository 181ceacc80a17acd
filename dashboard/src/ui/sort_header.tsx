import { Group, UnstyledButton } from "@mantine/core";
import { ArrowDownIcon, ArrowUpIcon } from "@primer/octicons-react";
import { useFilters } from "../url/use_filters.ts";

/** Kind of order that a column sorts by. */
export type SortKey = "name" | "time";

/** The order of a list that a column shows, for screen readers. */
export function useAriaSort(key: SortKey | undefined): "ascending" | "descending" | undefined {
  const { sort = "newest" } = useFilters().filters;
  if (key === "name") return sort === "name" ? "ascending" : undefined;
  if (key === undefined || sort === "name") return undefined;
  return sort === "oldest" ? "ascending" : "descending";
}

/** The heading of a column that sorts the list. The page's address keeps the order. */
export function SortHeader({ sortKey, label }: { sortKey: SortKey; label: string }) {
  const { setFilters } = useFilters();
  const order = useAriaSort(sortKey);
  const next = sortKey === "name"
    ? order === undefined ? "name" : undefined
    : order === "descending"
    ? "oldest"
    : undefined;
  return (
    <UnstyledButton className="sort-header" onClick={() => setFilters({ sort: next })}>
      <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
        {label}
        {order === "ascending" && <ArrowUpIcon size={12} />}
        {order === "descending" && <ArrowDownIcon size={12} />}
      </Group>
    </UnstyledButton>
  );
}
