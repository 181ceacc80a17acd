import { TimeInput } from "../ui/time_input.tsx";

interface InstantInputProps {
  label: string;
  /** A time as the api writes it. */
  value: unknown;
  onChange: (value: string) => void;
  hasError?: boolean;
}

/** Chooses a moment in the chosen time zone. */
export function InstantInput({ label, value, onChange, hasError }: InstantInputProps) {
  const isTime = typeof value === "string" && !Number.isNaN(Date.parse(value));
  return (
    <TimeInput
      aria-label={label}
      className="condition-time"
      placeholder={label}
      value={isTime ? value : null}
      onChange={(time) => onChange(time ?? "")}
      error={hasError}
    />
  );
}
