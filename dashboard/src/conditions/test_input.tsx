import { TextInput } from "@mantine/core";
import {
  type FieldType,
  type Operator,
  type ValueForm,
  valueForms,
} from "../api/condition_rules.ts";
import { typeOf } from "./collect_paths.ts";
import { operatorLabels } from "./describe.ts";
import type { Draft } from "./draft.ts";
import { DurationInput } from "./duration_input.tsx";
import { type Path, useHasFault } from "./faults.ts";
import { InstantInput } from "./instant_input.tsx";
import { OperatorSelect } from "./operator_select.tsx";
import { ScalarInput, ScalarListInput } from "./scalar_input.tsx";
import { NumberInput } from "../ui/overlays.tsx";

interface TestInputProps {
  /** A test with `op` and `value`. */
  draft: Draft;
  path: Path;
  onChange: (draft: Draft) => void;
  type: FieldType;
  operators: readonly Operator[];
  /** Values that were seen at the field or property. */
  seen: readonly string[];
}

/** An operator, and a value of the form that it needs. */
export function TestInput({ draft, path, onChange, type, operators, seen }: TestInputProps) {
  const hasFault = useHasFault(path);
  const op = draft.op as Operator;
  return (
    <>
      <OperatorSelect
        aria-label="Operator"
        data={operators.map((name) => ({ value: name, label: operatorLabels[name] }))}
        value={operators.includes(op) ? op : null}
        onChange={(next) => onChange(changeOperator(draft, next as Operator))}
        error={hasFault("op")}
      />
      <ValueInput
        form={valueForms[op] ?? "none"}
        type={type}
        value={draft.value}
        onChange={(value) => onChange({ ...draft, value })}
        seen={seen}
        hasError={hasFault("value")}
      />
    </>
  );
}

interface ValueInputProps {
  form: ValueForm;
  type: FieldType;
  value: unknown;
  onChange: (value: unknown) => void;
  seen: readonly string[];
  hasError: boolean;
}

function ValueInput({ form, ...props }: ValueInputProps) {
  const { value, onChange, hasError } = props;
  switch (form) {
    case "none":
      return null;
    case "scalar":
      return <ScalarInput {...props} />;
    case "list":
      return <ScalarListInput {...props} />;
    case "text":
      return (
        <TextInput
          aria-label="Text"
          className="condition-value"
          placeholder="Text"
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={hasError}
        />
      );
    case "number":
      return (
        <NumberInput
          aria-label="Number"
          className="condition-number"
          placeholder="0"
          value={typeof value === "number" ? value : ""}
          onChange={(next) => onChange(typeof next === "number" ? next : undefined)}
          hideControls
          error={hasError}
        />
      );
    case "time":
      return <InstantInput label="Time" {...props} />;
    case "duration":
      return <DurationInput value={value} onChange={onChange} hasError={hasError} />;
  }
}

/** Changes the operator, and keeps the value where its form fits. */
export function changeOperator({ value, ...rest }: Draft, op: Operator): Draft {
  const [from, to] = [valueForms[rest.op as Operator], valueForms[op]];
  if (to === "none") return { ...rest, op };
  if (to === from) return { ...rest, op, value };
  if (to === "list") return { ...rest, op, value: typeOf(value) && value !== "" ? [value] : [] };
  const single = Array.isArray(value) ? value[0] : value;
  if (to === "scalar") return { ...rest, op, value: typeOf(single) ? single : "" };
  if (to === "text" && typeof single === "string") return { ...rest, op, value: single };
  if (to === "number" && typeof single === "number") return { ...rest, op, value: single };
  return { ...rest, op, value: to === "duration" ? "7d" : "" };
}
