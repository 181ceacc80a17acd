import { Button } from "@mantine/core";
import { FilterRemoveIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import { useClearFilters, useHasRange } from "../url/use_filters.ts";
import { EmptyState } from "./empty_state.tsx";

interface NoMatchesProps {
  title: string;
  children: ReactNode;
}

/** Empty state of a filtered list, with a button that clears all filters. */
export function NoMatches({ title, children }: NoMatchesProps) {
  const clear = useClearFilters();
  return (
    <EmptyState
      icon={FilterRemoveIcon}
      title={title}
      action={<Button variant="default" onClick={clear}>Clear filters</Button>}
    >
      {children}
    </EmptyState>
  );
}

/** Says how to see more of a list. A longer time range helps only if one is set. */
export function WidenHint() {
  return useHasRange()
    ? "Choose a longer time range or remove a filter."
    : "Remove a filter to see more.";
}
