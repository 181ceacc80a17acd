import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { ReadOptions } from "../api/conditions.ts";
import { DraftNotice } from "../ui/draft_notice.tsx";
import { checkDraft } from "./check_draft.ts";
import { ConditionEditor } from "./condition_editor.tsx";
import { asGroup } from "./draft.ts";
import type { FilterDraft } from "./use_filter_draft.ts";
import type { Subject } from "./use_preview.ts";

const optionsOf: Record<Subject, ReadOptions> = {
  customers: {},
  events: { allowsProperty: true },
};

interface FilterFormProps {
  subject: Subject;
  event: string | undefined;
  filter: FilterDraft;
  apply: (condition: unknown) => void;
}

/** Edits the condition of a list. */
export default function FilterForm({ subject, event, filter, apply }: FilterFormProps) {
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
