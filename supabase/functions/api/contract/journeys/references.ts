import type { Definition, Step } from "../../../_shared/journeys/definition.ts";
import type { JsonFault, JsonPath } from "../../../_shared/json/json.ts";
import type { Condition, Leaf } from "../conditions/types.ts";

export const referenceKinds = [
  "template",
  "sender",
  "topic",
  "segment",
  "destination",
  "journey",
] as const;

export type ReferenceKind = (typeof referenceKinds)[number];

/** A place of a definition that names another resource by id or key. */
export interface Reference {
  kind: ReferenceKind;
  name: string;
  path: JsonPath;
  /** True for the template of a marketing send. */
  needsUnsubscribe?: boolean;
}

/** A resource that a name stands for. */
export interface Referent {
  kind: string;
  name: string;
  id: string;
  /** False for a template whose body has no link to unsubscribe; null for other kinds. */
  has_unsubscribe: boolean | null;
}

/** Lists every reference of a definition, in the order in which they are written. */
export function listReferences(definition: Definition): Reference[] {
  const { trigger, entry, exit_when, steps } = definition;
  return [
    ...("segment" in trigger ? [refer("segment", trigger.segment, ["trigger", "segment"])] : []),
    ...listInCondition(entry?.when, ["entry", "when"]),
    ...listInCondition(exit_when, ["exit_when"]),
    ...Object.entries(steps).flatMap(([name, step]) => listInStep(step, ["steps", name])),
  ];
}

function refer(kind: ReferenceKind, name: string, path: JsonPath): Reference {
  return { kind, name, path };
}

function listInStep(step: Step, path: JsonPath): Reference[] {
  if ("send" in step) {
    const { template, sender, topic } = step.send;
    const at = (field: string) => [...path, "send", field];
    return [
      { ...refer("template", template, at("template")), needsUnsubscribe: topic !== undefined },
      refer("sender", sender, at("sender")),
      ...(topic === undefined ? [] : [refer("topic", topic, at("topic"))]),
    ];
  }
  if ("webhook" in step) {
    const at = [...path, "webhook", "destination"];
    return [refer("destination", step.webhook.destination, at)];
  }
  if (!("branch" in step)) return [];
  return step.branch.flatMap(({ when }, n) =>
    listInCondition(when, [...path, "branch", n, "when"])
  );
}

/** Lists the references of a condition; undefined has none. */
function listInCondition(given: object | undefined, path: JsonPath): Reference[] {
  if (given === undefined) return [];
  const condition = given as Condition;
  if ("not" in condition) return listInCondition(condition.not, [...path, "not"]);
  for (const kind of ["all", "any"] as const) {
    const items = (condition as { [kind]?: readonly Condition[] })[kind];
    if (items !== undefined) {
      return items.flatMap((item, n) => listInCondition(item, [...path, kind, n]));
    }
  }
  return listInLeaf(condition as Leaf, path);
}

function listInLeaf(leaf: Leaf, path: JsonPath): Reference[] {
  if ("segment" in leaf) return [refer("segment", leaf.segment, [...path, "segment"])];
  if ("topic" in leaf) return [refer("topic", leaf.topic, [...path, "topic"])];
  return "journey" in leaf ? [refer("journey", leaf.journey, [...path, "journey"])] : [];
}

/** A definition with ids, and what keeps it from being published. */
export interface Resolved {
  /** The definition with ids for all names that stand for a resource. */
  definition: Definition;
  faults: JsonFault[];
}

/** Replaces names by ids. Reports names that stand for nothing, and templates that cannot be used. */
export function resolveReferences(definition: Definition, found: readonly Referent[]): Resolved {
  const referents = new Map(found.map((one) => [`${one.kind} ${one.name}`, one]));
  const resolved = structuredClone(definition);
  const faults = listReferences(definition).flatMap((reference): JsonFault[] => {
    const { kind, name, path } = reference;
    const referent = referents.get(`${kind} ${name}`);
    if (referent === undefined) return [{ path, message: describeMissing(reference) }];
    replaceAt(resolved, path, referent.id);
    if (!reference.needsUnsubscribe || referent.has_unsubscribe !== false) return [];
    const message = "must have an unsubscribe link for a send with a topic: its body has neither " +
      "unsubscribe_url nor preferences_url";
    return [{ path, message }];
  });
  return { definition: resolved, faults };
}

function describeMissing({ kind, name }: Reference): string {
  const names = kind === "destination" ? "id" : "id or key";
  return `must name a ${kind}: none has the ${names} ${JSON.stringify(name)}`;
}

function replaceAt(target: unknown, path: JsonPath, value: string): void {
  let parent = target as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as typeof parent;
  parent[path.at(-1)!] = value;
}
