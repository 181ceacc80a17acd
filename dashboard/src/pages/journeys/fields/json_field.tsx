import { Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { isSame } from "../model/is_same.ts";

interface JsonFieldProps {
  label: string;
  description?: string;
  placeholder?: string;
  value: unknown;
  /** Undefined for an empty field. Text that is not valid JSON stays text, which the checks refuse. */
  onChange: (value: unknown) => void;
  error?: string | undefined;
  isRequired?: boolean;
  minRows?: number;
  maxRows?: number;
}

/** A value as JSON. The text keeps its form while it is typed. */
export function JsonField(
  { value, onChange, isRequired, minRows = 3, maxRows = 18, ...props }: JsonFieldProps,
) {
  const [text, setText] = useState(() => writeJson(value));
  const known = useRef(value);
  useEffect(() => {
    if (isSame(value, known.current)) return;
    known.current = value;
    setText(writeJson(value));
  }, [value]);
  const type = (typed: string) => {
    setText(typed);
    known.current = readJson(typed);
    onChange(known.current);
  };
  return (
    <Textarea
      {...props}
      withAsterisk={isRequired}
      classNames={{ input: "mono" }}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      spellCheck={false}
    />
  );
}

function writeJson(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
