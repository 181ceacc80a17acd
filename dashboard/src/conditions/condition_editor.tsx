import { useMemo } from "react";
import type { Condition } from "../api/condition_rules.ts";
import { ConditionBuilder, type ConditionBuilderProps } from "./condition_builder.tsx";
import { ConditionPreview } from "./condition_preview.tsx";
import { useCheck } from "./use_check.ts";
import { asGroup, isNegation, readGroup } from "./draft.ts";
import { readFaults } from "./faults.ts";
import { type Subject, usePreview } from "./use_preview.ts";

interface ConditionEditorProps extends Omit<ConditionBuilderProps, "faults"> {
  /** Rows that are counted while editing. @default "customers" */
  subject?: Subject;
  /** An error of the request that sent the condition. */
  error?: Error | null;
  /** The condition's place in that request, such as `condition`. @default "condition" */
  root?: string;
}

/** The builder of a condition with a live count and ten examples. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { subject = "customers", error = null, root = "condition", ...builder } = props;
  const { value, options } = builder;
  const text = JSON.stringify(value);
  const checkDraft = useCheck();
  const { condition } = useMemo(
    () => checkDraft(asGroup(value), options),
    [text, options, checkDraft],
  );
  const notice = describeObstacle(value, condition);
  const preview = usePreview(notice === undefined ? condition : undefined, {
    subject,
    event: builder.event,
  });
  const faults = useMemo(() => [
    ...readFaults(error, root),
    ...readFaults(preview.error, subject === "events" ? "filter" : "condition"),
  ], [error, preview.error, root, subject]);
  return (
    <div className="condition-editor">
      <div className="condition-editor-columns">
        <ConditionBuilder {...builder} faults={faults} />
        <ConditionPreview
          subject={subject}
          event={builder.event}
          preview={preview}
          // An error at a place of the condition is shown there.
          error={faults.length > 0 ? null : preview.error}
          notice={faults.length > 0 ? "Fix the condition to see the count" : notice}
        />
      </div>
    </div>
  );
}

/** Returns why a condition cannot be counted; undefined if it can. */
function describeObstacle(value: unknown, condition: Condition | undefined): string | undefined {
  if (condition === undefined) {
    return isWithoutConditions(value)
      ? "Add a condition to see how many match"
      : "Complete the condition to see the count";
  }
  const isAboutRun = JSON.stringify(value).includes('"field":"trigger.');
  return isAboutRun ? "Conditions on the trigger cannot be counted in advance" : undefined;
}

function isWithoutConditions(value: unknown): boolean {
  const group = asGroup(value);
  return readGroup(isNegation(group) ? group.not : group)?.items.length === 0;
}
