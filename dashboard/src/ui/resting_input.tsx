import { TextInput, type TextInputProps } from "@mantine/core";

interface ListOption {
  value?: unknown;
  label?: string;
  items?: readonly unknown[];
}

interface RestingInputProps {
  hasList: boolean;
  /** True if only options can be chosen: a value shows once its option is known. */
  isChoice?: boolean;
  value?: unknown;
  data?: readonly unknown[];
}

/** Props that the field has only once its library is there. */
const ofLists = new Set(
  ("acceptValueOnBlur allowDecimal allowDeselect allowDuplicates allowNegative autoSelectOnBlur checkIconPosition " +
    "clearable comboboxProps data decimalScale defaultDropdownOpened defaultValue dropdownOpened filter " +
    "hidePickedOptions limit maxDropdownHeight maxTags maxValues nothingFoundMessage openOnFocus " +
    "renderOption renderPill scrollAreaProps searchable searchValue selectFirstOptionOnChange splitChars " +
    "value withAlignedLabels withCheckIcon withScrollArea").split(" "),
);

const closedList = {
  role: "combobox",
  "aria-haspopup": "listbox",
  "aria-expanded": false,
} as const;

/** A field until its library is there: it shows its value. */
export function RestingInput({ hasList, isChoice = false, ...props }: RestingInputProps) {
  const shared = Object.entries(props).filter(([name]) =>
    !ofLists.has(name) && !/^on[A-Z]/.test(name)
  );
  return (
    <TextInput
      {...isChoice && { rightSection: <Unfold />, rightSectionPointerEvents: "none" }}
      {...Object.fromEntries(shared) as TextInputProps}
      value={describeValue(props, isChoice)}
      readOnly
      {...hasList && closedList}
    />
  );
}

/** The sign of a list that opens, as the library draws it. */
function Unfold() {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden>
      <path
        d="M5 6.5 8 3.5l3 3M5 9.5l3 3 3-3"
        fill="none"
        stroke="var(--mantine-color-dimmed)"
        strokeWidth={1.2}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function describeValue(
  { value, data = [] }: Pick<RestingInputProps, "value" | "data">,
  isChoice: boolean,
): string {
  const chosen = Array.isArray(value) ? value : [value ?? ""];
  const known = isChoice
    ? chosen.filter((each) => findLabel(data, each) ?? data.includes(each))
    : chosen;
  return known.map((each) => findLabel(data, each) ?? String(each)).join(", ");
}

function findLabel(data: readonly unknown[], value: unknown): string | undefined {
  for (const option of data as readonly ListOption[]) {
    const label = option.items ? findLabel(option.items, value) : option.label;
    if (label !== undefined && (option.items || option.value === value)) return label;
  }
  return undefined;
}
