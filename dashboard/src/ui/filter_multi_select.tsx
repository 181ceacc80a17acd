import { MultiSelect } from "./overlays.tsx";

/** As many values have space for their labels. */
const mostNamed = 2;

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
  const noun = label.toLowerCase();
  const chosen = value.length > mostNamed
    ? `${value.length} ${noun}s`
    : value.map((each) => labels[each]).join(", ");
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen || `Any ${noun}`}
      data={known.map((each) => ({ value: each as string, label: labels[each] }))}
      value={[...value]}
      onChange={(next: string[]) => onChange(known.filter((each) => next.includes(each)))}
      renderPill={() => null}
      classNames={{ inputField: "filter-values", pillsList: "filter-values-list" }}
      data-chosen={value.length > 0 || undefined}
      clearable
    />
  );
}
