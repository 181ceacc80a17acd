import { CloseButton, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

const DELAY_MS = 250;

interface FilterInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Text to filter by; told a moment after the last key. */
export function FilterInput({ value = "", onChange, ...props }: FilterInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const tell = useDebouncedCallback(
    (typed: string) => onChange(typed.trim() || undefined),
    DELAY_MS,
  );
  const change = (typed: string) => {
    setText(typed);
    tell(typed);
  };
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={text && (
        <CloseButton
          size="sm"
          aria-label={`Clear ${props["aria-label"]}`}
          onClick={() => change("")}
        />
      )}
    />
  );
}
