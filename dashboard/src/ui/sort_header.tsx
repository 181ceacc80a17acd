import { Group, UnstyledButton } from "@mantine/core";
import { ArrowDownIcon, ArrowUpIcon } from "@primer/octicons-react";
import { useFilters } from "../url/use_filters.ts";

/**
 * Kind of order that a column sorts by. `time` is of both directions, `newest` of the one that a list
 * has without a choice; by `volume` and `last_seen`, the largest and the newest come first.
 */
export type SortKey = "name" | "time" | "newest" | "last_seen" | "volume";

interface Sorting {
  sortKey: SortKey | undefined;
  /** The order of a list without a choice. */
  usual: SortKey;
}

/** The order of a list that a column shows, for screen readers. */
export function useAriaSort({ sortKey: key, usual }: Sorting) {
  const { sort = usual } = useFilters().filters;
  if (key === "time" && sort === "oldest") return "ascending";
  const isShown = key === "time" ? sort === "newest" : sort === key;
  if (!isShown) return undefined;
  return key === "name" ? "ascending" : "descending";
}

type SortHeaderProps = Sorting & { sortKey: SortKey; label: string };

/** The heading of a column that sorts the list. The page's address keeps the order. */
export function SortHeader({ sortKey, usual, label }: SortHeaderProps) {
  const { setFilters } = useFilters();
  const order = useAriaSort({ sortKey, usual });
  const other = sortKey === "time" ? "oldest" : undefined;
  const isUsual = sortKey === "time" || sortKey === usual;
  const own = isUsual ? undefined : sortKey;
  const next = order === undefined ? own : order === "descending" ? other : undefined;
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
