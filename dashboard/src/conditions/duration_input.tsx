import { useEffect, useState } from "react";
import { durationUnits } from "../format/duration.ts";
import { NumberInput, Select } from "../ui/overlays.tsx";

interface DurationInputProps {
  /** A duration such as "7d"; any other value shows as empty. */
  value: unknown;
  onChange: (value: string) => void;
  hasError?: boolean;
}

/** A number and its unit, as one duration. */
export function DurationInput({ value, onChange, hasError }: DurationInputProps) {
  const [, amount = "", writtenUnit] = /^(\d+)([smhdw])$/.exec(String(value)) ?? [];
  // An empty amount has no text that could hold its unit.
  const [unit, setUnit] = useState(writtenUnit ?? "d");
  useEffect(() => {
    if (writtenUnit) setUnit(writtenUnit);
  }, [writtenUnit]);
  const emit = (nextAmount: string, nextUnit: string) => {
    onChange(nextAmount === "" ? "" : `${nextAmount}${nextUnit}`);
  };
  return (
    <>
      <NumberInput
        aria-label="Amount"
        className="condition-number"
        value={amount}
        onChange={(next) => emit(String(next), unit)}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        error={hasError}
      />
      <Select
        aria-label="Unit"
        className="condition-unit"
        data={durationUnits}
        value={unit}
        onChange={(next: string | null) => {
          setUnit(next ?? unit);
          emit(amount, next ?? unit);
        }}
        allowDeselect={false}
      />
    </>
  );
}
