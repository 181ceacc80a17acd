import { Button, Group, Pill, Skeleton } from "@mantine/core";
import { FilterIcon } from "@primer/octicons-react";
import { lazy, Suspense } from "react";
import { describeCondition } from "./describe.ts";
import { asGroup, type Draft } from "./draft.ts";
import { parseFilter } from "./filter_text.ts";
import { useFilterDraft } from "./use_filter_draft.ts";
import type { Subject } from "./use_preview.ts";
import { useNameOf } from "./use_references.ts";
import { Drawer } from "../ui/overlays.tsx";
import { lateImport } from "../ui/late_import.ts";

/** Loads with the first open filter, together with all the rules of conditions. */
const FilterForm = lazy(() => lateImport(() => import("./filter_form.tsx")));

interface FilterBarProps {
  subject: Subject;
  /** The condition as JSON, as the page's address has it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Name of the listed events, for suggestions. */
  event?: string | undefined;
}

/** The condition of a list: its parts, which can be removed, and a button that edits it. */
export function FilterBar({ subject, value, onChange, event }: FilterBarProps) {
  const condition = parseFilter(value);
  const filter = useFilterDraft(subject, condition);
  const nameOf = useNameOf(condition);
  const parts = condition === undefined ? [] : readParts(asGroup(condition));
  const remove = (index: number) => {
    const rest = parts.toSpliced(index, 1);
    onChange(rest.length === 0 ? undefined : JSON.stringify({ all: rest }));
  };
  return (
    <>
      <Group gap={6} className="filter-bar">
        <Button variant="default" leftSection={<FilterIcon />} onClick={filter.open}>
          {parts.length === 0 ? "Filter" : "Edit filter"}
        </Button>
        {parts.map((part, index) => {
          const text = describeCondition(part, nameOf);
          return (
            <Pill
              key={index}
              size="lg"
              className="condition-part"
              withRemoveButton
              removeButtonProps={{
                "aria-label": `Remove the filter ${text}`,
                "aria-hidden": undefined,
                tabIndex: 0,
              }}
              onRemove={() => remove(index)}
            >
              <bdi>{text}</bdi>
            </Pill>
          );
        })}
      </Group>
      <Drawer
        opened={filter.isOpen}
        onClose={filter.requestClose}
        position="right"
        size="xl"
        title={`Filter ${subject}`}
        closeButtonProps={{ "aria-label": "Close filter" }}
      >
        <Suspense fallback={<Skeleton h={240} />}>
          {filter.isOpen && (
            <FilterForm
              subject={subject}
              event={event}
              filter={filter}
              apply={(next) => {
                onChange(next === undefined ? undefined : JSON.stringify(next));
                filter.draft.discard();
                filter.close();
              }}
            />
          )}
        </Suspense>
      </Drawer>
    </>
  );
}

/** Returns the parts that must all hold. */
function readParts(group: Draft): unknown[] {
  return Array.isArray(group.all) ? group.all : [group];
}
