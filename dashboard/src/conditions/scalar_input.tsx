import { useState } from "react";
import type { FieldType } from "../api/condition_rules.ts";
import { type ScalarType, typeOf } from "./collect_paths.ts";
import { Autocomplete, NumberInput, Select, TagsInput } from "../ui/overlays.tsx";

const typeOptions = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "True or false" },
];
const booleanOptions = [{ value: "true", label: "true" }, { value: "false", label: "false" }];

interface ScalarInputProps {
  /** Type of the field; any shows a choice of the value's type. */
  type: FieldType;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Values that were seen. */
  seen: readonly string[];
  hasError?: boolean;
}

/** One value to compare with. Types are not converted, so an attribute's type is chosen as well. */
export function ScalarInput({ type, value, onChange, seen, hasError }: ScalarInputProps) {
  // An empty number has no type of its own.
  const [chosen, choose] = useState<ScalarType>("text");
  const fixed = type === "boolean" ? "boolean" : "text";
  const scalar = type === "any" ? typeOf(value) ?? chosen : fixed;
  const changeType = (next: ScalarType) => {
    choose(next);
    onChange(convert(value, next));
  };
  return (
    <>
      {type === "any" && <TypeSelect value={scalar} onChange={changeType} />}
      {scalar === "text" && (
        <Autocomplete
          aria-label="Value"
          className="condition-value"
          placeholder="Value"
          data={[...seen]}
          limit={20}
          value={typeof value === "string" ? value : ""}
          onChange={onChange}
          error={hasError}
        />
      )}
      {scalar === "number" && (
        <NumberInput
          aria-label="Value"
          className="condition-number"
          placeholder="0"
          value={typeof value === "number" ? value : ""}
          onChange={(next) => {
            choose("number");
            onChange(typeof next === "number" ? next : undefined);
          }}
          hideControls
          error={hasError}
        />
      )}
      {scalar === "boolean" && (
        <Select
          aria-label="Value"
          className="condition-unit"
          data={booleanOptions}
          value={typeof value === "boolean" ? String(value) : null}
          onChange={(next: string | null) => onChange(next === "true")}
          allowDeselect={false}
          error={hasError}
        />
      )}
    </>
  );
}

/** Several values, of which one must be equal. */
export function ScalarListInput({ type, value, onChange, seen, hasError }: ScalarInputProps) {
  const values = Array.isArray(value) ? value : [];
  const [chosen, choose] = useState<ScalarType>("text");
  const scalar = type === "any" ? typeOf(values[0]) ?? chosen : "text";
  const read = (texts: readonly string[], as: ScalarType) =>
    texts.map((text) => convert(text, as)).filter((item) => item !== undefined);
  return (
    <>
      {type === "any" && (
        <TypeSelect
          value={scalar}
          onChange={(next) => {
            choose(next);
            onChange(read(values.map(String), next));
          }}
        />
      )}
      <TagsInput
        aria-label="Values"
        className="condition-values"
        placeholder={values.length === 0 ? "Enter a value and press Enter" : ""}
        data={seen.filter((item) => !values.map(String).includes(item))}
        value={values.map(String)}
        onChange={(texts) => onChange(read(texts, scalar))}
        maxDropdownHeight={220}
        error={hasError}
      />
    </>
  );
}

function TypeSelect(
  { value, onChange }: { value: ScalarType; onChange: (type: ScalarType) => void },
) {
  return (
    <Select
      aria-label="Type of the value"
      className="condition-unit"
      data={typeOptions}
      value={value}
      onChange={(next: string | null) => next && onChange(next as ScalarType)}
      allowDeselect={false}
    />
  );
}

/** Converts a value that was entered; undefined for a text that is not a number. */
function convert(value: unknown, type: ScalarType): string | number | boolean | undefined {
  if (type === "number") {
    const isNumber = value !== "" && typeof value !== "boolean" && Number.isFinite(Number(value));
    return isNumber ? Number(value) : undefined;
  }
  if (type === "boolean") return value === true || value === "true";
  return value === undefined ? "" : String(value);
}
