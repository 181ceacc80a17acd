import type { ReactNode } from "react";
import { useApiItem } from "../api/use_api.ts";
import { isId } from "../format/is_id.ts";

/** Shows values of fields, by the names of the fields. */
export type ShownValues = Readonly<Record<string, (value: unknown) => ReactNode>>;

/** Longest text of a value that is shown, in characters. */
const maxTextLength = 80;
/** Most members of a list that are shown. */
const maxMembers = 5;

interface ConflictValueProps {
  value: unknown;
  /** Shows a value that only the page can describe. */
  show?: ShownValues[string] | undefined;
}

/** The value that others gave a field, after the field's name. Empty if it is too long to be read. */
export function ConflictValue({ value, show }: ConflictValueProps) {
  const shown = describeValue(value, show);
  return shown === undefined ? null : <>: now {shown}</>;
}

function describeValue(value: unknown, show: ConflictValueProps["show"]): ReactNode | undefined {
  if (value === "" || value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return describeList(value);
  if (typeof value === "object") return show?.(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  const text = String(value);
  if (isId(text)) return <ReferenceName id={text} />;
  return text.length > maxTextLength ? undefined : <bdi>“{text}”</bdi>;
}

function describeList(list: readonly unknown[]): ReactNode | undefined {
  if (list.length === 0) return "empty";
  const isShort = list.length <= maxMembers && JSON.stringify(list).length <= maxMembers * 50;
  if (!isShort || list.some((member) => typeof member === "object")) return undefined;
  return list.map((member, index) => (
    <span key={index}>
      {index > 0 && ", "}
      {describeValue(member, undefined)}
    </span>
  ));
}

/** The name of what an ID stands for. Until it is found, and for what was deleted, the ID. */
function ReferenceName({ id }: { id: string }) {
  const found = useApiItem("GET /search", { query: { q: id } });
  const hit = found.data?.data.find((each) => each.id === id);
  return <bdi>“{hit?.title ?? id}”</bdi>;
}
