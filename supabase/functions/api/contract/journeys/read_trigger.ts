import type {
  Entry,
  Goal,
  MatchedEvents,
  SegmentTrigger,
  Trigger,
} from "../../../_shared/journeys/definition.ts";
import { readEventName, readWhere } from "../conditions/read_event.ts";
import { readDistance } from "../conditions/read_values.ts";
import { type Part, partOf, type Reader } from "../conditions/reader.ts";
import { resourceName } from "../resource_names.ts";
import { readDateRule, readMatched, readOptional, readPath, readWhen } from "./read_parts.ts";
import { maxAgainDays, maxWaitDays, triggerKinds } from "./rules.ts";

/** Reads the id or key of a resource. */
export function readName(reader: Reader, { value, path }: Part): string | undefined {
  const parsed = resourceName.safeParse(value);
  return parsed.success ? parsed.data : reader.fail(path, parsed.error.issues[0]!.message);
}

/** Reads the trigger of a journey. */
export function readTrigger(reader: Reader, part: Part): Trigger | undefined {
  const { value, path } = part;
  const given = reader.record(part);
  if (given === undefined) return undefined;
  const [kind, other] = triggerKinds.filter((name) => Object.hasOwn(given, name));
  if (kind === undefined) {
    const names = triggerKinds.map((name) => `"${name}"`).join(", ");
    return reader.fail(path, `must have one of ${names}`);
  }
  if (other !== undefined) {
    return reader.fail([...path, other], `must not be combined with "${kind}"`);
  }
  if (kind === "date") return readDateRule(reader, { value, path }, { allowsTrigger: false });
  if (kind === "segment") return readSegmentTrigger(reader, part);
  if (kind === "api") return readApiTrigger(reader, part);
  const known = reader.object(part, ["event", "where"]);
  return known && {
    event: readEventName(reader, partOf(known, path, "event")) ?? "",
    ...readWhere(reader, partOf(known, path, "where")),
  };
}

function readSegmentTrigger(reader: Reader, part: Part): SegmentTrigger | undefined {
  const given = reader.object(part, ["segment", "on"]);
  if (given === undefined) return undefined;
  const segment = readName(reader, partOf(given, part.path, "segment"));
  const on = reader.word(partOf(given, part.path, "on"), ["enter", "leave"]);
  return segment === undefined || on === undefined ? undefined : { segment, on };
}

function readApiTrigger(reader: Reader, part: Part): { api: true } | undefined {
  const given = reader.object(part, ["api"]);
  if (given === undefined) return undefined;
  return given.api === true ? { api: true } : reader.fail([...part.path, "api"], "must be true");
}

/** Reads the rules of entry; some need a trigger of a certain kind. */
export function readEntry(reader: Reader, part: Part, trigger?: Trigger): Entry | undefined {
  const { path } = part;
  const names = ["when", "key", "again", "holdout", "include_current"];
  const given = reader.object(part, names);
  if (given === undefined) return undefined;
  const entry: Entry = {
    ...readOptional(given, path, [
      "when",
      (part) => readWhen(reader, part, { allowsTrigger: true }),
    ]),
    ...readOptional(given, path, ["key", (part) => readKey(reader, part)]),
    ...readOptional(given, path, ["again", (part) => readAgain(reader, part)]),
    ...readOptional(given, path, ["holdout", (part) => readHoldout(reader, part)]),
    ...readOptional(given, path, ["include_current", (part) => readFlag(reader, part)]),
  };
  const hasData = trigger === undefined || "event" in trigger || "api" in trigger;
  if (entry.key !== undefined && !hasData) {
    reader.fail([...path, "key"], "must be left out: only an event and the api bring data");
  }
  const isEnter = trigger === undefined || ("segment" in trigger && trigger.on === "enter");
  if (entry.include_current && !isEnter) {
    const message = 'must be left out: only a trigger "segment" with "on": "enter" has members';
    reader.fail([...path, "include_current"], message);
  }
  return entry;
}

function readKey(reader: Reader, part: Part): string | undefined {
  return readPath(reader, part, { roots: ["trigger"], rule: 'must be "trigger.<path>"' });
}

function readAgain(reader: Reader, part: Part): Entry["again"] {
  const words = ["never", "after_exit", "always"] as const;
  const found = words.find((word) => word === part.value);
  if (found !== undefined) return found;
  if (typeof part.value !== "object" || part.value === null) {
    const quoted = words.map((word) => `"${word}"`).join(", ");
    return reader.fail(part.path, `must be one of ${quoted} or { "after": "30d" }`);
  }
  const given = reader.object(part, ["after"]);
  const after = given &&
    readDistance(reader, partOf(given, part.path, "after"), maxAgainDays);
  return after === undefined ? undefined : { after };
}

function readHoldout(reader: Reader, { value, path }: Part): number | undefined {
  const isShare = typeof value === "number" && value >= 0 && value <= 100 &&
    Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;
  if (isShare) return value;
  return reader.fail(path, "must be a percentage from 0 to 100, with at most two decimals");
}

/** Reads `true` or `false`. */
export function readFlag(reader: Reader, { value, path }: Part): boolean | undefined {
  return typeof value === "boolean" ? value : reader.fail(path, "must be true or false");
}

/** Reads the goal of a journey. */
export function readGoal(reader: Reader, part: Part): Goal | undefined {
  const given = reader.object(part, ["event", "where", "match", "within"]);
  return given && {
    ...readMatched(reader, given, part.path),
    ...readOptional(given, part.path, [
      "within",
      (within) => readDistance(reader, within, maxWaitDays),
    ]),
  };
}

/** Reads the event that ends a run. */
export function readExitOn(reader: Reader, part: Part): MatchedEvents | undefined {
  const given = reader.object(part, ["event", "where", "match"]);
  return given && readMatched(reader, given, part.path);
}
