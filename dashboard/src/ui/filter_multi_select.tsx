import { MultiSelect } from "./overlays.tsx";

interface FilterMultiSelectProps<Value extends string> {
  /** The kind of what is chosen, such as "State". */
  label: string;
  /** Labels of the values, in order. */
  labels: Readonly<Record<Value, string>>;
  /** Chosen values; all are shown if there are none. */
  value: readonly Value[];
  onChange: (value: Value[]) => void;
}

/** Filters by several values at once. The chosen ones stand in one line, like a single one. */
export function FilterMultiSelect<Value extends string>(
  { label, labels, value, onChange }: FilterMultiSelectProps<Value>,
) {
  const known = Object.keys(labels) as Value[];
  const chosen = value.map((each) => labels[each]).join(", ");
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen || `Any ${label.toLowerCase()}`}
      data={known.map((each) => ({ value: each as string, label: labels[each] }))}
      value={[...value]}
      onChange={(next: string[]) => onChange(known.filter((each) => next.includes(each)))}
      renderPill={() => null}
      classNames={value.length > 0 ? { inputField: "chosen-values" } : {}}
      clearable
    />
  );
}
