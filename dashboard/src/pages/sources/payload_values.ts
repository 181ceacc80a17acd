import type { ApiBody } from "../../api/use_api.ts";

/** A mapping as the api takes it. */
export type Mapping = NonNullable<ApiBody<"POST /sources/{id}/test">["mapping"]>;
export type MappedField = Exclude<keyof Mapping, "names">;

/** A value in a payload, and where it is. */
export interface PayloadValue {
  /** JSON Pointer that a mapping reads it by. */
  pointer: string;
  /** The same for people: `user.id`. */
  path: string;
  kind: "single" | "object" | "list";
  /** The value as a short text. */
  text: string;
}

/** The fields of a mapping in words. */
export const fieldLabels: Record<MappedField, string> = {
  name: "Event name",
  external_id: "External ID",
  anon_id: "Anonymous ID",
  email: "Email",
  occurred_at: "Time",
  idempotency_key: "Idempotency key",
  properties: "Properties",
  items: "List of events",
};

const singleFields: readonly MappedField[] = [
  "name",
  "external_id",
  "anon_id",
  "email",
  "occurred_at",
  "idempotency_key",
];
/** A preset reads everything else itself. */
const idFields: readonly MappedField[] = ["external_id", "anon_id", "email"];

/** Lists the fields that a value can be used for. */
export function listFields(
  { kind }: PayloadValue,
  hasPreset: boolean,
): readonly MappedField[] {
  if (kind === "single") return hasPreset ? idFields : singleFields;
  if (hasPreset) return [];
  return kind === "object" ? ["properties"] : ["items"];
}

const mostValues = 200;
const mostText = 80;

/**
 * Lists the values of a payload in its own order, and the first member of each list. Pointers are
 * those of one event: they start at a member of the list of events, if there is one.
 */
export function listValues(payload: unknown, items: string | undefined): PayloadValue[] {
  const list = items === undefined ? payload : readAt(payload, items);
  const event = Array.isArray(list) ? list[0] : payload;
  if (typeof event !== "object" || event === null) return [];
  const values = [
    ...items !== undefined && Array.isArray(list)
      ? [describe(list, { pointer: items, path: pathOf(items) })]
      : [],
    describe(event, { pointer: "", path: "Everything" }),
    ...walk(event, { pointer: "", path: "" }),
  ];
  return values.slice(0, mostValues);
}

interface Place {
  pointer: string;
  path: string;
}

function walk(value: unknown, place: Place): PayloadValue[] {
  if (typeof value !== "object" || value === null) return [];
  const members = Array.isArray(value) ? Object.entries(value.slice(0, 1)) : Object.entries(value);
  return members.flatMap(([name, member]) => {
    const inner = {
      pointer: `${place.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      path: place.path === "" ? name : `${place.path}.${name}`,
    };
    return [describe(member, inner), ...walk(member, inner)];
  });
}

function describe(value: unknown, place: Place): PayloadValue {
  if (Array.isArray(value)) {
    return { ...place, kind: "list", text: `${value.length} in a list` };
  }
  if (typeof value === "object" && value !== null) {
    return { ...place, kind: "object", text: Object.keys(value).join(", ").slice(0, mostText) };
  }
  return { ...place, kind: "single", text: String(value).slice(0, mostText) };
}

function readAt(payload: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce<unknown>(
    (part, name) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, name)
        ? part[name as keyof typeof part]
        : undefined,
    payload,
  );
}

function pathOf(pointer: string): string {
  return pointer.split("/").slice(1).join(".");
}

/** Returns the fields that read the value. */
export function listUses({ pointer, kind }: PayloadValue, mapping: Mapping): MappedField[] {
  const fields = Object.keys(fieldLabels) as MappedField[];
  return fields.filter((field) =>
    mapping[field] === pointer && (field === "items") === (kind === "list")
  );
}
