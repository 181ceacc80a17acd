import { Button, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CodeIcon } from "@primer/octicons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ReadOptions } from "../api/conditions.ts";
import { useShownDraft } from "../api/use_draft.ts";
import { ConditionNode } from "./condition_node.tsx";
import { useCheck } from "./use_check.ts";
import { asGroup, isDraft, placeInGroup } from "./draft.ts";
import { type Fault, FaultsProvider } from "./faults.ts";
import { SettingsProvider } from "./settings.ts";
import { useNameOf } from "./use_references.ts";

export interface ConditionBuilderProps {
  /** Names the builder to screen readers. */
  label: string;
  /** The condition as JSON. It may be incomplete, or undefined for an empty one. */
  value: unknown;
  onChange: (value: unknown) => void;
  /** Allows fields of a run's trigger, or properties of the listed event. */
  options?: ReadOptions;
  /** Name of the listed event, for suggestions of its properties. */
  event?: string;
  /** Faults that the api found in this value. They disappear with the next change. */
  faults?: readonly Fault[];
  /** Also shows what is missing, as after an attempt to save. @default false */
  showsMissing?: boolean;
}

const noFaults: readonly Fault[] = [];
const noOptions: ReadOptions = {};

/** Edits a condition as nested groups, with the same as JSON beside it. */
export function ConditionBuilder(props: ConditionBuilderProps) {
  const { label, value, onChange, options = noOptions, event = "" } = props;
  const [isJsonShown, { toggle }] = useDisclosure();
  const [isJsonValid, setJsonValid] = useState(true);
  const focus = useRef<string | null>(null);
  const nameOf = useNameOf(value);
  const faults = useShownFaults(props);
  const draft = asGroup(value);
  return (
    <FaultsProvider value={faults}>
      <SettingsProvider value={{ options, event, nameOf, focus }}>
        <div className="condition-builder" role="group" aria-label={label}>
          <div className={isJsonShown ? "condition-panes" : undefined}>
            <ConditionNode draft={draft} path={[]} onChange={onChange} />
            {isJsonShown && (
              <JsonPane
                value={draft}
                onChange={onChange}
                isValid={isJsonValid}
                setValid={setJsonValid}
              />
            )}
          </div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<CodeIcon />}
            aria-expanded={isJsonShown}
            // Hiding would lose a text that is not in the condition.
            disabled={!isJsonValid}
            onClick={toggle}
          >
            {isJsonShown ? "Hide JSON" : "Show JSON"}
          </Button>
        </div>
      </SettingsProvider>
    </FaultsProvider>
  );
}

/** Returns the faults to show: those of the form, and those that the api found in this value. */
function useShownFaults(props: ConditionBuilderProps): readonly Fault[] {
  const { value, options, faults = noFaults, showsMissing = false } = props;
  const text = JSON.stringify(value);
  const judged = useRef({ faults, text });
  if (judged.current.faults !== faults) judged.current = { faults, text };
  const isCurrent = judged.current.text === text;
  const checkDraft = useCheck();
  return useMemo(() => {
    const found = checkDraft(asGroup(value), options).faults
      .filter(({ isMissing }) => showsMissing || !isMissing);
    if (!isCurrent) return found;
    const place = placeInGroup(value);
    return [...found, ...faults.map((fault) => ({ ...fault, path: [...place, ...fault.path] }))];
  }, [text, options, faults, showsMissing, isCurrent, checkDraft]);
}

interface JsonPaneProps extends Pick<ConditionBuilderProps, "value" | "onChange"> {
  isValid: boolean;
  setValid: (isValid: boolean) => void;
}

/** The condition as text. Valid JSON changes the builder at once. */
function JsonPane({ value, onChange, isValid, setValid }: JsonPaneProps) {
  const [text, setText] = useState(() => format(value));
  const reset = () => {
    setText(format(value));
    setValid(true);
  };
  useShownDraft({ isDirty: () => !isValid, isRestored: false, discard: reset, forget: reset });
  const written = useRef(value);
  useEffect(() => {
    // Another part has changed it: show that, instead of what was typed.
    if (written.current !== value) {
      reset();
    }
  }, [value]);
  const change = (typed: string) => {
    setText(typed);
    const parsed = parse(typed);
    setValid(parsed !== undefined);
    if (parsed === undefined) return;
    written.current = asGroup(parsed);
    onChange(written.current);
  };
  return (
    <Textarea
      aria-label="Condition as JSON"
      classNames={{ input: "mono" }}
      autosize
      minRows={6}
      maxRows={30}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      error={isValid ? undefined : "Enter a JSON object"}
      spellCheck={false}
    />
  );
}

function format(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
