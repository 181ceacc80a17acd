import { Button, Drawer, Group, Pill } from "@mantine/core";
import { FilterIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { ReadOptions } from "../api/conditions.ts";
import { useDraftState } from "../api/use_draft.ts";
import { useCloseGuard } from "../ui/close_guard.tsx";
import { DraftNotice } from "../ui/draft_notice.tsx";
import { useDraftDialog } from "../ui/use_draft_dialog.ts";
import { ConditionEditor } from "./condition_editor.tsx";
import { describeCondition } from "./describe.ts";
import { asGroup, checkDraft, type Draft } from "./draft.ts";
import { parseFilter } from "./filter_text.ts";
import type { Subject } from "./use_preview.ts";
import { useNameOf } from "./use_references.ts";

const optionsOf: Record<Subject, ReadOptions> = {
  customers: {},
  events: { allowsProperty: true },
};

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
      </Drawer>
    </>
  );
}

/** The condition while it is edited, and the drawer around it. */
function useFilterDraft(subject: Subject, condition: unknown) {
  const name = `filter:${subject}`;
  const [isOpen, { open, close }] = useDraftDialog(name);
  const [value, setValue, draft] = useDraftState<unknown>(name, condition ?? null);
  return { isOpen, open, close, value, setValue, draft, ...useCloseGuard(draft, close) };
}

/** Returns the parts that must all hold. */
function readParts(group: Draft): unknown[] {
  return Array.isArray(group.all) ? group.all : [group];
}

interface FilterFormProps {
  subject: Subject;
  event: string | undefined;
  filter: ReturnType<typeof useFilterDraft>;
  apply: (condition: unknown) => void;
}

function FilterForm({ subject, event, filter, apply }: FilterFormProps) {
  const { value, setValue, draft, question } = filter;
  const [isTried, setTried] = useState(false);
  const submit = () => {
    const { condition } = checkDraft(asGroup(value), optionsOf[subject]);
    if (condition === undefined) setTried(true);
    else apply(condition);
  };
  return (
    <form
      onSubmit={(submission) => {
        submission.preventDefault();
        submit();
      }}
    >
      <DraftNotice draft={draft} />
      <ConditionEditor
        label={`Filter of ${subject}`}
        subject={subject}
        value={value}
        onChange={setValue}
        options={optionsOf[subject]}
        event={event}
        showsMissing={isTried}
      />
      {question ?? (
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => apply(undefined)}>Clear filter</Button>
          <Button type="submit">Apply filter</Button>
        </Group>
      )}
    </form>
  );
}
