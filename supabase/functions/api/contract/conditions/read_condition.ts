import { isRecord, type JsonFault } from "../../../_shared/json/json.ts";
import { resourceName } from "../resource_names.ts";
import { readEvent } from "./read_event.ts";
import { readField, readProperty } from "./read_field.ts";
import { type Part, partOf, Reader, type ReadOptions } from "./reader.ts";
import { eventKinds, journeyStates, type Kind, kinds, maxLeaves, maxLevels } from "./rules.ts";
import type {
  BucketCondition,
  Condition,
  JourneyCondition,
  SegmentCondition,
  TopicCondition,
} from "./types.ts";

export type ReadCondition =
  | { ok: true; condition: Condition }
  | { ok: false; faults: readonly JsonFault[] };

/**
 * Reads a condition. Times are converted to UTC and ids to lower case; everything else stays as
 * written. Paths of faults are relative to the condition.
 */
export function readCondition(value: unknown, options: ReadOptions = {}): ReadCondition {
  const reader = new Reader(options);
  const condition = readNode(reader, { value, path: [] }, 1);
  if (condition !== undefined && reader.faults.length === 0) return { ok: true, condition };
  return { ok: false, faults: reader.faults };
}

type ReadLeaf = (reader: Reader, part: Part) => Condition | undefined;

const leafReaders: Readonly<Record<Exclude<Kind, "all" | "any" | "not">, ReadLeaf>> = {
  field: readField,
  event: readEvent,
  segment: readSegment,
  topic: readTopic,
  journey: readJourney,
  bucket: readBucket,
  property: readProperty,
};

function readNode(reader: Reader, part: Part, level: number): Condition | undefined {
  const { value, path } = part;
  if (value === undefined) return reader.fail(path, "is required");
  if (!isRecord(value)) return reader.fail(path, "must be an object");
  const known = knownKinds(reader.options);
  const [kind, other] = known.filter((name) => Object.hasOwn(value, name));
  if (kind === undefined) {
    const names = known.map((name) => `"${name}"`).join(", ");
    return reader.fail(path, `must have one of ${names}`);
  }
  if (other !== undefined) {
    return reader.fail([...path, other], `must not be combined with "${kind}"`);
  }
  if (level > maxLevels) {
    return reader.fail(path, `must not be deeper than ${maxLevels} levels`);
  }
  if (kind === "not") return readNegation(reader, part, level);
  if (kind === "all" || kind === "any") return readGroup(reader, { ...part, kind }, level);
  const most = reader.options.maxLeaves ?? maxLeaves;
  reader.leaves++;
  if (reader.leaves === most + 1) return reader.fail([], `must have at most ${most} leaves`);
  return reader.leaves > most ? undefined : leafReaders[kind](reader, part);
}

function knownKinds({ allowsProperty, isAboutEvent }: ReadOptions): readonly Kind[] {
  if (isAboutEvent) return eventKinds;
  return allowsProperty ? kinds : kinds.filter((name) => name !== "property");
}

function readNegation(reader: Reader, part: Part, level: number): Condition | undefined {
  const given = reader.object(part, ["not"]);
  const inner = given && readNode(reader, partOf(given, part.path, "not"), level + 1);
  return inner && { not: inner };
}

function readGroup(
  reader: Reader,
  { kind, ...part }: Part & { kind: "all" | "any" },
  level: number,
): Condition | undefined {
  const given = reader.object(part, [kind]);
  const items = given &&
    reader.list(partOf(given, part.path, kind), { of: "conditions", most: maxLeaves });
  const read = items?.map((item) => readNode(reader, item, level + 1));
  const conditions = read?.filter((item) => item !== undefined);
  if (conditions === undefined) return undefined;
  return kind === "all" ? { all: conditions } : { any: conditions };
}

function readName(reader: Reader, part: Part): string | undefined {
  if (part.value === undefined) return reader.fail(part.path, "is required");
  const parsed = resourceName.safeParse(part.value);
  return parsed.success ? parsed.data : reader.fail(part.path, parsed.error.issues[0]!.message);
}

function readSegment(reader: Reader, part: Part): SegmentCondition | undefined {
  const given = reader.object(part, ["segment"]);
  const segment = given && readName(reader, partOf(given, part.path, "segment"));
  return segment === undefined ? undefined : { segment };
}

function readTopic(reader: Reader, part: Part): TopicCondition | undefined {
  const given = reader.object(part, ["topic", "subscribed"]);
  if (given === undefined) return undefined;
  const topic = readName(reader, partOf(given, part.path, "topic"));
  const { value: subscribed = true, path } = partOf(given, part.path, "subscribed");
  if (typeof subscribed !== "boolean") return reader.fail(path, "must be true or false");
  return topic === undefined ? undefined : { topic, subscribed };
}

function readJourney(reader: Reader, part: Part): JourneyCondition | undefined {
  const given = reader.object(part, ["journey", "state"]);
  if (given === undefined) return undefined;
  const journey = readName(reader, partOf(given, part.path, "journey"));
  const state = reader.word(partOf(given, part.path, "state"), journeyStates);
  return journey === undefined || state === undefined ? undefined : { journey, state };
}

function readBucket(reader: Reader, part: Part): BucketCondition | undefined {
  const given = reader.object(part, ["bucket", "from", "to"]);
  if (given === undefined) return undefined;
  const bucket = reader.text(partOf(given, part.path, "bucket"), 255);
  const from = readPercent(reader, partOf(given, part.path, "from"));
  const to = readPercent(reader, partOf(given, part.path, "to"));
  if (bucket === undefined || from === undefined || to === undefined) return undefined;
  if (from >= to) return reader.fail([...part.path, "from"], 'must be below "to"');
  return { bucket, from, to };
}

/** Reads a percentage with at most two decimals. */
function readPercent(reader: Reader, { value, path }: Part): number | undefined {
  if (value === undefined) return reader.fail(path, "is required");
  const isPercent = typeof value === "number" && value >= 0 && value <= 100 &&
    Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;
  if (isPercent) return value;
  return reader.fail(path, "must be a number from 0 to 100 with at most two decimals");
}
