import { TextInput, type TextInputProps } from "@mantine/core";

interface ListOption {
  value?: unknown;
  label?: string;
  items?: readonly unknown[];
}

interface ListInputProps {
  value?: unknown;
  data?: readonly unknown[];
}

/** Props that only a field with a list has. */
const ofLists = new Set(
  ("acceptValueOnBlur allowDeselect allowDuplicates autoSelectOnBlur checkIconPosition " +
    "clearable comboboxProps data defaultDropdownOpened defaultValue dropdownOpened filter " +
    "hidePickedOptions limit maxDropdownHeight maxTags maxValues nothingFoundMessage openOnFocus " +
    "renderOption scrollAreaProps searchable searchValue selectFirstOptionOnChange splitChars " +
    "value withAlignedLabels withCheckIcon withScrollArea").split(" "),
);

/** A field with a list before the list can open: it shows what is chosen. */
export function RestingInput(props: ListInputProps) {
  const shared = Object.entries(props).filter(([name]) =>
    !ofLists.has(name) && !/^on[A-Z]/.test(name)
  );
  return (
    <TextInput
      {...Object.fromEntries(shared) as TextInputProps}
      value={describeValue(props)}
      readOnly
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
    />
  );
}

function describeValue({ value, data = [] }: ListInputProps): string {
  const chosen = Array.isArray(value) ? value : [value ?? ""];
  return chosen.map((each) => findLabel(data, each) ?? String(each)).join(", ");
}

function findLabel(data: readonly unknown[], value: unknown): string | undefined {
  for (const option of data as readonly ListOption[]) {
    const label = option.items ? findLabel(option.items, value) : option.label;
    if (label !== undefined && (option.items || option.value === value)) return label;
  }
  return undefined;
}
