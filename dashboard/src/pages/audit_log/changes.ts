import type { AuditEntry, JsonObject } from "../../api/types.ts";
import { describeCondition, type NameOf } from "../../conditions/describe.ts";
import { isDraft } from "../../conditions/draft.ts";
import { formatTimesIn } from "../../format/time.ts";
import { listNames } from "./list_names.ts";

/** A field's values before and after a change. */
export interface Change {
  before?: unknown;
  after?: unknown;
  is_too_long?: boolean;
}

/** Returns the changes of an entry by field. */
export function readChanges({ changes }: JsonObject): [field: string, change: Change][] {
  if (typeof changes !== "object" || changes === null) return [];
  return Object.entries(changes as Record<string, Change>);
}

/** Longer values are left to the drawer. */
const longestInRow = 60;

/** Returns whether a value is too long for a row of the list. */
export function isLong(value: unknown): boolean {
  return showValue(value).length > longestInRow;
}

/** Returns whether a text is an ID of the service. */
export function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

/** Fields whose values are conditions. */
const conditionFields: readonly string[] = ["condition", "filter"];

/** Returns a condition as a sentence, and any other value of a change as it is. */
export function readable(field: string, value: unknown, nameOf?: NameOf): unknown {
  const isCondition = conditionFields.includes(field) && isDraft(value);
  return isCondition ? describeCondition(value, nameOf) || value : value;
}

/** Returns the details of an entry that no other part of it shows, without those that are empty. */
export function otherDetails(
  { action, details }: Pick<AuditEntry, "action" | "details">,
): [field: string, text: string][] {
  const { name, changes, fields, ...rest } = details;
  // The target has its name of today: that of the beginning is a value.
  const created = action.endsWith(".create") ? { name } : {};
  // Values before and after make the list of their fields redundant.
  const sent = changes === undefined && fields !== undefined ? { fields } : {};
  return Object.entries({ ...created, ...sent, ...rest })
    .map(([field, value]): [string, string] => [
      nameField(field),
      field === "list" ? nameList(value) : showValue(value),
    ])
    .filter(([, text]) => text !== empty);
}

/** Names the list of a view: `sends` → `Sends`. */
function nameList(list: unknown): string {
  return (listNames as Record<string, string>)[String(list)] ?? showValue(list);
}

/** Fields whose words alone say too little. */
const fieldTexts: Readonly<Record<string, string>> = { is_mended: "Edited before resending" };

/** Names a field of the api in words: `rate_limit_per_second` → `Rate limit per second`. */
export function nameField(field: string): string {
  const text = fieldTexts[field];
  if (text !== undefined) return text;
  const words = field.replaceAll("_", " ").replace(/\burl\b/, "URL").replace(/\bids?\b/, "ID");
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}

const empty = "–";

/** Shows a value of JSON as text: a dash for null, words for yes and no, lists with commas, times. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return empty;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) {
    return value.length === 0 ? empty : value.join(", ");
  }
  if (Array.isArray(value) && value.every(isNamed)) return value.map(showNamed).join(", ");
  if (isNamed(value)) return showNamed(value);
  if (isLists(value)) {
    return Object.entries(value).map(([kind, names]) => `${kind} ${names.join(", ")}`).join("; ");
  }
  return typeof value === "object" ? JSON.stringify(value) : formatTimesIn(String(value));
}

/** A resource that an entry names. */
interface Named {
  id: string;
  /** Null if the one who made the change may not read it. */
  name: string | null;
  version?: number | null;
}

function isNamed(value: unknown): value is Named {
  return typeof value === "object" && value !== null && "id" in value && "name" in value &&
    Object.keys(value).every((key) => ["id", "name", "version"].includes(key));
}

/** Shows a resource by its name, or else by its id, and the version that was used. */
function showNamed({ id, name, version }: Named): string {
  return `${name ?? id}${version ? ` (version ${version})` : ""}`;
}

/** Returns whether a value names what was added, changed or removed. */
function isLists(value: unknown): value is Record<string, string[]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const kinds = Object.entries(value);
  return kinds.length > 0 &&
    kinds.every(([kind, names]) =>
      ["added", "changed", "removed"].includes(kind) && Array.isArray(names)
    );
}
