import type { Path } from "./faults.ts";

/** A condition while it is edited: JSON that may be incomplete. */
export type Draft = Readonly<Record<string, unknown>>;

/** Start of a field of an event's context. */
export const contextPrefix = "context.";

/** Kinds of conditions that can be added. */
export type NewKind =
  | "field"
  | "event"
  | "segment"
  | "topic"
  | "journey"
  | "bucket"
  | "property"
  | "context"
  | "group";

/** Returns an empty condition of a kind. */
export function makeDraft(kind: NewKind): Draft {
  switch (kind) {
    case "field":
      return { field: "", op: "eq", value: "" };
    case "property":
      return { property: "", op: "eq", value: "" };
    case "context":
      return { field: contextPrefix, op: "eq", value: "" };
    case "event":
      return { event: "" };
    case "segment":
      return { segment: "" };
    case "topic":
      return { topic: "", subscribed: true };
    case "journey":
      return { journey: "", state: "active" };
    case "bucket":
      return { bucket: "experiment", from: 0, to: 50 };
    case "group":
      return { any: [] };
  }
}

/** Returns the members of a group, and which kind of group it is; undefined for anything else. */
export function readGroup(draft: Draft): { kind: "all" | "any"; items: Draft[] } | undefined {
  const kind = Array.isArray(draft.all) ? "all" : Array.isArray(draft.any) ? "any" : undefined;
  return kind && { kind, items: draft[kind] as Draft[] };
}

/** Returns whether a draft negates another one. */
export function isNegation(draft: Draft): draft is { not: Draft } {
  return typeof draft.not === "object" && draft.not !== null;
}

/** Returns a condition as a group to which others can be added. */
export function asGroup(draft: unknown): Draft {
  if (!isDraft(draft) || Object.keys(draft).length === 0) return { all: [] };
  const inner = isNegation(draft) ? draft.not : draft;
  return readGroup(inner) ? draft : { all: [draft] };
}

/** Returns the place of a condition inside of `asGroup(draft)`. */
export function placeInGroup(draft: unknown): Path {
  const group = asGroup(draft);
  return Array.isArray(group.all) && group.all[0] === draft ? ["all", 0] : [];
}

/** Returns whether a value is an object. */
export function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Adds a condition that must hold as well. */
export function addToAll(draft: unknown, added: Draft): Draft {
  const group = asGroup(draft);
  return { all: [...Array.isArray(group.all) ? group.all : [group], added] };
}
