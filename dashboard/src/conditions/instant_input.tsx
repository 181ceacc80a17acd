import dayjs from "dayjs";
import { TimeInput } from "../ui/time_input.tsx";

interface InstantInputProps {
  label: string;
  /** A time as the api writes it. */
  value: unknown;
  onChange: (value: string) => void;
  hasError?: boolean;
}

/** Chooses a moment in the reader's time zone. */
export function InstantInput({ label, value, onChange, hasError }: InstantInputProps) {
  const time = typeof value === "string" && dayjs(value).isValid() ? dayjs(value) : null;
  return (
    <TimeInput
      aria-label={label}
      className="condition-time"
      placeholder={label}
      value={time?.format("YYYY-MM-DD HH:mm:ss") ?? null}
      onChange={(local) => onChange(local ? dayjs(local).toISOString() : "")}
      error={hasError}
    />
  );
}
