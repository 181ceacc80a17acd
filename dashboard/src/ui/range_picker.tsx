import { CalendarIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { findPreset, type RangeFilters, rangePresets } from "../url/range.ts";
import { formatShort, formatSpan } from "../format/time.ts";
import { useZone } from "../format/use_zone.ts";
import { useFilters } from "../url/use_filters.ts";
import { Select } from "./overlays.tsx";
import { lateImport } from "./late_import.ts";

const CustomRangeModal = lazy(() => lateImport(() => import("./custom_range_modal.tsx")));
const customValue = "custom";

interface RangePickerProps {
  /** The preset of an address without a range; `all` for any time. */
  fallback: string;
  /** Label of `all`. @default "Any time" */
  allLabel?: string;
}

/** Chooses the time range of a page and keeps it in the page's address. */
export function RangePicker({ fallback, allLabel = "Any time" }: RangePickerProps) {
  const { filters, setFilters } = useFilters();
  const zone = useZone();
  const [isOpen, { open, close }] = useDisclosure();
  const isCustom = isCustomRange(filters);
  const data = [
    ...(fallback === "all" ? [{ value: "all", label: allLabel }] : []),
    ...rangePresets.map(({ value, label }) => ({ value, label: `Last ${label}` })),
    { value: customValue, label: isCustom ? describe(filters, zone) : "Custom range…" },
  ];
  const choose = (value: string) => {
    if (value === customValue) return open();
    const range = value === fallback ? undefined : value;
    setFilters({ range, since: undefined, until: undefined });
  };
  return (
    <>
      <Select
        aria-label="Time range"
        leftSection={<CalendarIcon />}
        data={data}
        // Any time looks like a filter that is not set.
        placeholder={fallback === "all" ? allLabel : undefined}
        value={isCustom ? customValue : filters.range ?? (fallback === "all" ? null : fallback)}
        // Unlike onChange, also for the chosen option: a custom range can be edited.
        onOptionSubmit={choose}
        allowDeselect={false}
        className={isCustom ? "range long-range" : "range"}
      />
      {isOpen && (
        <Suspense>
          <CustomRangeModal
            initial={filters}
            close={close}
            choose={(range) => setFilters({ range: undefined, ...range })}
          />
        </Suspense>
      )}
    </>
  );
}

/** Names the time range of the page within a sentence: "last 30 days". */
export function useRangeName(fallback: string): string {
  return nameRange(useFilters().filters, { zone: useZone(), fallback });
}

/** Names a time range within a sentence: "last 30 days". */
export function nameRange(
  filters: RangeFilters,
  { zone, fallback }: { zone: string; fallback: string },
): string {
  if (isCustomRange(filters)) return lowerFirst(describe(filters, zone));
  return `last ${findPreset(filters.range ?? fallback).label}`;
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function isCustomRange({ since, until }: RangeFilters): boolean {
  return since !== undefined || until !== undefined;
}

function describe({ since, until }: RangeFilters, zone: string): string {
  const format = (time: string) => formatShort(time, zone);
  if (!since) return `Until ${until ? format(until) : ""}`;
  return until ? formatSpan(since, until, zone) : `Since ${format(since)}`;
}
