import { Button } from "@mantine/core";
import { ColumnsIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import { useFilters } from "../url/use_filters.ts";
import type { Column } from "./list_table.tsx";
import { Menu } from "./overlays.tsx";

/**
 * Returns the columns that the page's address chooses, or the usual ones. The first column, which
 * has the link, is always there.
 */
export function useColumns<T>(usual: Column<T>[], further: Column<T>[] = []): Column<T>[] {
  const { columns } = useFilters().filters;
  return useMemo(
    () => columns === undefined ? usual : chooseColumns(columns.split(","), usual, further),
    [columns, usual, further],
  );
}

function chooseColumns<T>(
  names: readonly string[],
  usual: Column<T>[],
  further: Column<T>[],
): Column<T>[] {
  const chosen = [...usual, ...further].filter(({ label }) => names.includes(label));
  const [first] = usual;
  // Narrow screens show chosen columns as well, a phone those that fit.
  return [first!, ...chosen.filter(({ label }) => label !== first!.label)]
    .map(({ visibleFrom: _, ...column }) =>
      column.isWide ? { ...column, visibleFrom: "sm" } : column
    );
}

interface ColumnsMenuProps {
  /** Labels of the columns that are shown without a choice. */
  usual: readonly string[];
  /** Labels of further columns. */
  further?: readonly string[];
}

/** Chooses the columns of a list, and keeps them in the page's address. */
export function ColumnsMenu({ usual, further = [] }: ColumnsMenuProps) {
  const { filters, setFilters } = useFilters();
  const shown = filters.columns?.split(",") ?? [...usual];
  const toggle = (label: string) => {
    const next = shown.includes(label) ? shown.filter((each) => each !== label) : [...shown, label];
    const isUsual = next.length === usual.length && usual.every((each) => next.includes(each));
    setFilters({ columns: isUsual ? undefined : next.join(",") });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<ColumnsIcon />}>Columns</Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        {[...usual.slice(1), ...further].map((label) => (
          <Menu.CheckboxItem
            key={label}
            checked={shown.includes(label)}
            onChange={() => toggle(label)}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
        {filters.columns !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => setFilters({ columns: undefined })}>
              Default columns
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
