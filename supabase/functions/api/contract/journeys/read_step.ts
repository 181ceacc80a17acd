import type {
  BranchStep,
  ExitStep,
  SendStep,
  SplitStep,
  Step,
  UpdateStep,
  WaitForStep,
  WaitStep,
  WebhookStep,
} from "../../../_shared/journeys/definition.ts";
import { profileFields } from "../../../_shared/entries/profile.ts";
import { type ProfileField, profileFieldNames } from "../../../_shared/entries/profile_names.ts";
import { isRecord } from "../../../_shared/json/json.ts";
import { readDistance } from "../conditions/read_values.ts";
import { type Part, partOf, type Reader } from "../conditions/reader.ts";
import {
  readDateRule,
  readMatched,
  readOptional,
  readStepId,
  readTimeOfDay,
  readWhen,
} from "./read_parts.ts";
import { readName } from "./read_trigger.ts";
import {
  maxDelayDays,
  maxWaitDays,
  maxWays,
  type StepKind,
  stepKinds,
  weekdays,
  zoneSources,
} from "./rules.ts";

type Given = Readonly<Record<string, unknown>>;
type ReadStep = (reader: Reader, given: Given, path: Part["path"]) => Step;

const readers: Readonly<Record<StepKind, { fields: readonly string[]; read: ReadStep }>> = {
  send: { fields: ["next"], read: readSend },
  wait: { fields: ["next"], read: readWait },
  wait_for: { fields: ["next", "on_timeout"], read: readWaitFor },
  branch: { fields: ["else"], read: readBranch },
  split: { fields: [], read: readSplit },
  update: { fields: ["next"], read: readUpdate },
  webhook: { fields: ["next"], read: readWebhook },
  exit: { fields: [], read: readExit },
};

/** Reads one step of any kind. */
export function readStep(reader: Reader, part: Part): Step | undefined {
  const { path } = part;
  const given = reader.record(part);
  if (given === undefined) return undefined;
  const [kind, other] = stepKinds.filter((name) => Object.hasOwn(given, name));
  if (kind === undefined) {
    const names = stepKinds.map((name) => `"${name}"`).join(", ");
    return reader.fail(path, `must have one of ${names}`);
  }
  if (other !== undefined) {
    return reader.fail([...path, other], `must not be combined with "${kind}"`);
  }
  const { fields, read } = readers[kind];
  return reader.object(part, [kind, ...fields]) && read(reader, given, path);
}

function readNext(reader: Reader, given: Given, path: Part["path"]): { next?: string } {
  return readOptional(given, path, ["next", (part) => readStepId(reader, part)]);
}

function readWay(reader: Reader, given: Given, path: Part["path"]): { next: string } {
  return { next: readStepId(reader, partOf(given, path, "next")) ?? "" };
}

function readSend(reader: Reader, step: Given, stepPath: Part["path"]): SendStep {
  const part = partOf(step, stepPath, "send");
  const { path } = part;
  const given = reader.object(part, ["template", "sender", "topic", "not_after", "on_cap"]) ?? {};
  return {
    send: {
      template: readName(reader, partOf(given, path, "template")) ?? "",
      sender: readName(reader, partOf(given, path, "sender")) ?? "",
      ...readOptional(given, path, ["topic", (part) => readName(reader, part)]),
      ...readOptional(given, path, [
        "not_after",
        (part) => readDistance(reader, part, maxDelayDays),
      ]),
      ...readOptional(given, path, ["on_cap", (part) => reader.word(part, ["skip", "wait"])]),
    },
    ...readNext(reader, step, stepPath),
  };
}

function readWait(reader: Reader, step: Given, stepPath: Part["path"]): WaitStep {
  const part = partOf(step, stepPath, "wait");
  return { wait: readWaitRule(reader, part) ?? { for: "" }, ...readNext(reader, step, stepPath) };
}

function readWaitRule(reader: Reader, part: Part): WaitStep["wait"] | undefined {
  const { path } = part;
  const given = reader.object(part, ["for", "until", "on_missing"]);
  if (given === undefined) return undefined;
  const [first, second] = ["for", "until"].filter((name) => Object.hasOwn(given, name));
  if (first === undefined) return reader.fail(path, 'must have one of "for", "until"');
  if (second !== undefined) {
    return reader.fail([...path, second], `must not be combined with "${first}"`);
  }
  const until = partOf(given, path, "until");
  const isDate = isRecord(until.value) && Object.hasOwn(until.value, "date");
  if (!isDate && given.on_missing !== undefined) {
    return reader.fail([...path, "on_missing"], "must be left out: only a date can be missing");
  }
  if (first === "for") {
    const length = readDistance(reader, partOf(given, path, "for"), maxWaitDays);
    return length === undefined ? undefined : { for: length };
  }
  if (!isDate) return readTimeOfDayWait(reader, until);
  const rule = readDateRule(reader, until, { allowsTrigger: true });
  return rule && {
    until: rule,
    ...readOptional(given, path, ["on_missing", (part) => readStepId(reader, part)]),
  };
}

function readTimeOfDayWait(reader: Reader, part: Part): WaitStep["wait"] | undefined {
  const { path } = part;
  const given = reader.object(part, ["weekdays", "at", "zone"]);
  if (given === undefined) return undefined;
  const at = readTimeOfDay(reader, partOf(given, path, "at"));
  const days = readOptional(given, path, ["weekdays", (part) => {
    const items = reader.list(part, { of: "weekdays", most: weekdays.length });
    const words = items?.map((item) => reader.word(item, weekdays));
    return words?.every((word) => word !== undefined) ? words : undefined;
  }]);
  const zone = readOptional(given, path, ["zone", (part) => reader.word(part, zoneSources)]);
  return at === undefined ? undefined : { until: { ...days, at, ...zone } };
}

function readWaitFor(reader: Reader, step: Given, stepPath: Part["path"]): WaitForStep {
  const part = partOf(step, stepPath, "wait_for");
  const { path } = part;
  const given = reader.object(part, ["event", "where", "match", "since", "timeout"]);
  const timeout = given && readDistance(reader, partOf(given, path, "timeout"), maxWaitDays);
  return {
    wait_for: {
      ...(given ? readMatched(reader, given, path) : { event: "" }),
      ...readOptional(given ?? {}, path, [
        "since",
        (part) => reader.word(part, ["step", "entry"]),
      ]),
      timeout: timeout ?? "",
    },
    ...readNext(reader, step, stepPath),
    ...readOptional(step, stepPath, ["on_timeout", (part) => readStepId(reader, part)]),
  };
}

function readBranch(reader: Reader, step: Given, path: Part["path"]): BranchStep {
  const items = reader.list(partOf(step, path, "branch"), { of: "conditions", most: maxWays });
  const branch = items?.flatMap((item) => {
    const given = reader.object(item, ["when", "next"]);
    if (given === undefined) return [];
    const when = readWhen(reader, partOf(given, item.path, "when"), { allowsTrigger: true });
    const { next } = readWay(reader, given, item.path);
    return when === undefined ? [] : [{ when, next }];
  });
  return { branch: branch ?? [], else: readStepId(reader, partOf(step, path, "else")) ?? "" };
}

function readSplit(reader: Reader, step: Given, path: Part["path"]): SplitStep {
  const items = reader.list(partOf(step, path, "split"), { of: "ways", most: maxWays });
  const split = items?.flatMap((item) => {
    const given = reader.object(item, ["weight", "next"]);
    if (given === undefined) return [];
    const weight = reader.number(partOf(given, item.path, "weight")) ?? 1;
    const isWeight = weight > 0 && weight <= 1000;
    if (!isWeight) reader.fail([...item.path, "weight"], "must be over 0, and at most 1000");
    return [{ weight, ...readWay(reader, given, item.path) }];
  });
  return { split: split ?? [] };
}

function readUpdate(reader: Reader, step: Given, stepPath: Part["path"]): UpdateStep {
  const part = partOf(step, stepPath, "update");
  const given = reader.object(part, ["attributes", "profile"]);
  if (given !== undefined && Object.keys(given).length === 0) {
    reader.fail(part.path, 'must have "attributes", "profile" or both');
  }
  const update = {
    ...readOptional(given ?? {}, part.path, ["attributes", (part) => readValues(reader, part)]),
    ...readOptional(given ?? {}, part.path, ["profile", (part) => readProfile(reader, part)]),
  };
  return { update, ...readNext(reader, step, stepPath) };
}

function readValues(reader: Reader, part: Part): Given | undefined {
  const values = reader.record(part);
  if (values === undefined || Object.keys(values).length > 0) return values;
  return reader.fail(part.path, "must have at least one value");
}

function readProfile(reader: Reader, part: Part): Record<string, string | null> | undefined {
  const given = readValues(reader, part);
  const known = given && reader.object(part, profileFieldNames);
  const fields = Object.entries(known ?? {}).flatMap(([name, value]) => {
    const parsed = profileFields[name as ProfileField].nullable().safeParse(value);
    if (parsed.success) return [[name, parsed.data] as const];
    reader.fail([...part.path, name], parsed.error.issues[0]!.message);
    return [];
  });
  return Object.fromEntries(fields);
}

function readWebhook(reader: Reader, step: Given, stepPath: Part["path"]): WebhookStep {
  const part = partOf(step, stepPath, "webhook");
  const given = reader.object(part, ["destination", "data"]) ?? {};
  return {
    webhook: {
      destination: readName(reader, partOf(given, part.path, "destination")) ?? "",
      ...readOptional(given, part.path, ["data", (data) => reader.record(data)]),
    },
    ...readNext(reader, step, stepPath),
  };
}

function readExit(reader: Reader, step: Given, path: Part["path"]): ExitStep {
  reader.object(partOf(step, path, "exit"), []);
  return { exit: {} };
}
