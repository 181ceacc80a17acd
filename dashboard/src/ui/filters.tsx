import { Children, type ReactNode, useEffect, useId, useRef, useState } from "react";
import {
  type AutocompleteProps,
  Button,
  CloseButton,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { FilterIcon } from "@primer/octicons-react";
import { useFilterCount } from "../url/use_filters.ts";
import { Fold } from "./fold.tsx";
import { Autocomplete } from "./overlays.tsx";

/** As many filters stay in sight on a phone. */
const mostUnfolded = 2;

interface FurtherFilters {
  fields: ReactNode;
  /** The number of them that narrow the list. Used ones are in sight at first. */
  used: number;
}

interface FiltersProps {
  children: ReactNode;
  /** Filters that are used less often, behind a button. */
  further?: FurtherFilters;
  /** The page is about what is chosen here, so a phone shows it too. */
  isMain?: boolean;
}

/** The filters of a list side by side. On a phone two per row, and several behind a button. */
export function Filters({ children, further, isMain = false }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const count = useFilterCount();
  const fields = further
    ? <FilterRows further={further}>{children}</FilterRows>
    : <div className="filters" role="search">{children}</div>;
  if (isMain || Children.count(children) <= mostUnfolded) return fields;
  return (
    <Fold
      label={count === 0 ? "Filters" : `Filters (${count})`}
      button={{ leftSection: <FilterIcon /> }}
      until="sm"
      {...{ isOpen, toggle }}
    >
      {fields}
    </Fold>
  );
}

/** Two rows of filters. The second one opens with a button, except on a phone. */
function FilterRows({ children, further }: { children: ReactNode; further: FurtherFilters }) {
  const id = useId();
  const { fields, used } = further;
  const isUsed = used > 0;
  const [isOpen, { toggle, open }] = useDisclosure(isUsed);
  // A saved view can set them later. They stay when the last one is cleared, because it has the focus.
  useEffect(() => {
    if (isUsed) open();
  }, [isUsed]);
  return (
    <div role="search" className="filter-rows">
      <div className="filters">
        {children}
        <div className="filter-bar">
          <Button
            variant="default"
            visibleFrom="sm"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
          >
            {isOpen ? "Fewer filters" : isUsed ? `More filters (${used})` : "More filters"}
          </Button>
        </div>
      </div>
      <div className="filters" id={id} data-folded={!isOpen}>{fields}</div>
    </div>
  );
}

const delayMs = 250;

interface TypedFilter {
  "aria-label": string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

type FilterInputProps = TypedFilter & Omit<TextInputProps, keyof TypedFilter>;

/** A text filter, applied shortly after the last key. */
export function FilterInput({ value, onChange, ...props }: FilterInputProps) {
  const { text, change, clear } = useTypedFilter({ ...props, value, onChange });
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={clear}
    />
  );
}

type SuggestInputProps = TypedFilter & Omit<AutocompleteProps, keyof TypedFilter | "data"> & {
  data: string[];
};

/** A filter by a whole name, with suggestions. */
export function SuggestInput({ value, onChange, ...props }: SuggestInputProps) {
  const { text, type, change, commit, clear } = useTypedFilter({ ...props, value, onChange });
  // The start of a name matches nothing, so a name is applied once it is complete.
  const isKnown = (typed: string) => typed === "" || props.data.includes(typed);
  return (
    <Autocomplete
      {...props}
      value={text}
      onChange={(typed) => isKnown(typed) ? change(typed) : type(typed)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
      rightSection={clear}
    />
  );
}

function useTypedFilter({ value = "", onChange, "aria-label": label }: TypedFilter) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const latest = useRef(text);
  const apply = useDebouncedCallback(
    (typed: string) => {
      // More was typed, or applied, in the meantime.
      if (typed === latest.current) onChange(typed.trim() || undefined);
    },
    delayMs,
  );
  const type = (typed: string) => {
    latest.current = typed;
    setText(typed);
  };
  const change = (typed: string) => {
    type(typed);
    apply(typed);
  };
  const clear = text && (
    <CloseButton
      size="sm"
      aria-label={`Clear ${label}`}
      onClick={() => change("")}
    />
  );
  // At once: a click on a link must not be followed by a change of the page's address.
  const commit = () => {
    if (text.trim() !== value) onChange(text.trim() || undefined);
  };
  return { text, type, change, commit, clear };
}
