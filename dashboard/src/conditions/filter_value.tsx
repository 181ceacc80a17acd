import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { linkTo } from "../ui/link_to.ts";
import { narrowFilter, testValue } from "./filter_text.ts";

interface FilterValueProps {
  /** The list that the click filters. */
  list: "customers" | "events";
  /** The field or property that has the value. */
  place: { field: string } | { property: string };
  value: unknown;
  /** The filter of the list so far. */
  filter?: string | undefined;
  /** Other filters of the list. */
  search?: Record<string, string | undefined>;
  children: ReactNode;
}

/** A value that, clicked, leads to all rows of a list that have it. */
export function FilterValue(props: FilterValueProps) {
  const { list, place, value, filter, search = {}, children } = props;
  const { id } = useWorkspace();
  const test = testValue(place, value);
  if (!test) return <>{children}</>;
  const name = "field" in place ? place.field : place.property;
  return (
    <Anchor
      {...linkTo(`/w/${id}/${list}`, { ...search, filter: narrowFilter(filter, test) })}
      inherit
      className="filter-value"
      title={`Show ${list} with ${name} = ${String(value)}`}
    >
      {children}
    </Anchor>
  );
}
