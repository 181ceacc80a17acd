import { Select } from "./overlays.tsx";

/** A list that a filter chooses from: see `useReadList`. */
export interface NamedList {
  rows: readonly { id: string; name: string }[];
  isRead: boolean;
}

interface FilterSelectProps {
  /** The kind of what is chosen, such as "Campaign". */
  label: string;
  list: NamedList;
  /** ID of what is chosen. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Filters by a resource. One that does not exist stays chosen as unknown, and can be removed. */
export function FilterSelect({ label, list, value, onChange }: FilterSelectProps) {
  const noun = label.toLowerCase();
  const known = list.rows.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = value === undefined || known.some((option) => option.value === value);
  const unknown = list.isRead ? `Unknown ${noun}` : "Loading…";
  return (
    <Select
      aria-label={label}
      placeholder={`Any ${noun}`}
      data={isKnown ? known : [{ value, label: unknown }, ...known]}
      value={value ?? null}
      onChange={(chosen: string | null) => onChange(chosen ?? undefined)}
      clearable
      searchable
    />
  );
}
