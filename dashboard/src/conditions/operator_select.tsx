import { Select } from "../ui/overlays.tsx";

/** A longer label needs a wider field. */
const longestShort = 12;

interface OperatorSelectProps {
  "aria-label": string;
  data: readonly { value: string; label: string }[];
  value: string | null;
  onChange: (value: string) => void;
  error?: boolean;
}

/** Chooses the verb of a condition. The field is as wide as what is chosen needs. */
export function OperatorSelect({ data, value, onChange, ...props }: OperatorSelectProps) {
  const label = data.find((option) => option.value === value)?.label ?? "";
  return (
    <Select
      {...props}
      className={label.length > longestShort ? "condition-operator is-long" : "condition-operator"}
      data={data}
      value={value}
      onChange={(next: string | null) => next && onChange(next)}
      allowDeselect={false}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      maxDropdownHeight={320}
    />
  );
}
