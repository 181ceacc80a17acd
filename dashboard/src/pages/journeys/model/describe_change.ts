import { capitalize } from "../../../format/capitalize.ts";
import { describeCondition } from "../../../conditions/describe.ts";
import { writeDuration } from "../../../format/duration.ts";
import type { FieldChange, PartChange } from "./diff_definitions.ts";
import type { NamedKind, NameOf } from "./name_of.ts";
import { elseLabel, labelCondition, labelConditionWay, labelSplitWay } from "./way_labels.ts";

/** A change in words: a label, and the value on each side that has one. */
export interface ChangeLine {
  label: string;
  before: string | undefined;
  after: string | undefined;
}

/** Form of a value: how it is written for people. */
type Write = (value: unknown, nameOf: NameOf) => string;

/**
 * Describes what is different in a part. A removed step needs no more than its name, and an added
 * one only what its name leaves out.
 */
export function describePartChange(change: PartChange, nameOf: NameOf): ChangeLine[] {
  const { part, kind, oldName, fields } = change;
  if (kind === "removed") return [];
  const renamed = oldName === undefined ? [] : [{ label: "Name", before: oldName, after: part }];
  const shown = (kind === "added" ? fields.filter(({ path }) => !isInName(path)) : fields)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...renamed, ...shown.flatMap((field) => describeField(field, nameOf))];
}

/** Returns the place of a value among those of its part, as the form has it. */
function rankOf({ path }: FieldChange): number {
  if (path[0] === "branch" || path[0] === "split") return -1;
  const names = Object.keys(forms);
  const rank = names.indexOf(path.join("."));
  return rank < 0 ? names.length : rank;
}

/** Values that the name of a step on the canvas holds, and ways, which the canvas draws. */
const named = [
  "send.template",
  "wait.for",
  "wait.until",
  "wait.on_missing",
  "wait_for.event",
  "wait_for.timeout",
  "webhook.destination",
  "split",
  "exit",
  "next",
  "on_timeout",
];

function isInName(path: readonly string[]): boolean {
  const name = `${path.join(".")}.`;
  return named.some((each) => name.startsWith(`${each}.`));
}

/** Describes a changed value in the words of the form. A list of ways becomes a line per value. */
function describeField(change: FieldChange, nameOf: NameOf): ChangeLine[] {
  const { path, before, after } = change;
  if (path.length === 1 && (path[0] === "branch" || path[0] === "split")) {
    return describeWays(path[0], change, nameOf);
  }
  const [label, write] = fieldAt(path);
  const show = (value: unknown) => value === undefined ? undefined : write(value, nameOf);
  // A step without a next one is the last.
  const none = label === nextLabel ? theEnd : undefined;
  const line = { label, before: show(before) ?? none, after: show(after) ?? none };
  return line.before === line.after ? [] : [line];
}

const nextLabel = "Next step";
const theEnd = "the end";

const asText: Write = (value) => typeof value === "string" ? value : JSON.stringify(value) ?? "";
const asStep: Write = (value, nameOf) => asText(value, nameOf) || theEnd;
const asLength: Write = (value) => writeDuration(String(value));
const asYesNo: Write = (value) => value ? "yes" : "no";
const asCondition: Write = (value, nameOf) => describeCondition(value, nameOf) || "no condition";
const asWord = (words: Readonly<Record<string, string>>): Write => (value) =>
  words[String(value)] ?? String(value);
const asName = (kind: NamedKind): Write => (value, nameOf) => nameOf(kind, value) || `no ${kind}`;
const asList = (write: Write): Write => (value, nameOf) =>
  Array.isArray(value)
    ? value.map((each) => write(each, nameOf)).join(" and ")
    : asText(value, nameOf);
const asTests = asList(asCondition);
const asMatches = asList((value) => {
  const { property, same_as } = value as { property: string; same_as: string };
  return `${property} is ${same_as}`;
});
const asDays: Write = (value) =>
  Array.isArray(value) ? value.map((day) => capitalize(String(day))).join(", ") : "";
const asOffset: Write = (value) => {
  const text = String(value);
  const side = text.startsWith("-") ? "before" : "after";
  return `${writeDuration(text.replace(/^[+-]/, ""))} ${side}`;
};
const asAgain: Write = (value, nameOf) => {
  if (typeof value !== "object") return againWords(value, nameOf);
  return `again after ${writeDuration(String((value as { after: unknown }).after))}`;
};
const againWords = asWord({
  never: "once",
  after_exit: "again after they leave",
  always: "always, also while inside",
});
/** A value of the customer; null removes it. */
const asStored: Write = (value, nameOf) => value === null ? "no value" : asText(value, nameOf);

const zone = ["Time zone", asWord({ customer: "the customer’s", workspace: "the workspace’s" })];

/** Labels and forms of values, by their path. */
const forms: Readonly<Record<string, readonly [label: string, write: Write]>> = {
  "trigger.event": ["Event", asText],
  "trigger.where": ["Trigger condition", asTests],
  "trigger.segment": ["Segment", asName("segment")],
  "trigger.on": ["When", asWord({ enter: "they enter it", leave: "they leave it" })],
  "trigger.date": ["Date", asText],
  "trigger.offset": ["Moved by", asOffset],
  "trigger.at": ["Local time", asText],
  "trigger.zone": zone as [string, Write],
  "trigger.api": ["Customers enter", asWord({ true: "only through the API" })],
  "entry.when": ["Entry condition", asCondition],
  "entry.key": ["One run per", asText],
  "entry.again": ["How often", asAgain],
  "entry.again.after": ["Time since the last entry", asLength],
  "entry.holdout": ["Holdout", (value) => `${value}%`],
  "entry.include_current": ["Current members enter too", asYesNo],
  start: ["First step", asStep],
  "goal.event": ["Goal", asText],
  "goal.where": ["Goal condition", asTests],
  "goal.match": ["Goal of the same run", asMatches],
  "goal.within": ["Goal within", asLength],
  "exit_on.event": ["Exit event", asText],
  "exit_on.where": ["Condition of the exit event", asTests],
  "exit_on.match": ["Exit event of the same run", asMatches],
  exit_when: ["Exit condition", asCondition],
  "send.template": ["Template", asName("template")],
  "send.sender": ["Sender", asName("sender")],
  "send.topic": ["Topic", asName("topic")],
  "send.not_after": ["Skip if delayed by more than", asLength],
  "send.on_cap": ["After too many emails", asWord({ skip: "skip the email", wait: "wait" })],
  "wait.for": ["Wait", asLength],
  "wait.until.at": ["Until", asText],
  "wait.until.weekdays": ["Days", asDays],
  "wait.until.zone": zone as [string, Write],
  "wait.until.date": ["Until the date", asText],
  "wait.until.offset": ["Moved by", asOffset],
  "wait_for.event": ["Event", asText],
  "wait_for.where": ["Event condition", asTests],
  "wait_for.match": ["Event of the same run", asMatches],
  "wait_for.since": [
    "Events that count",
    asWord({ step: "since this step", entry: "since the run began" }),
  ],
  "wait_for.timeout": ["At most", asLength],
  "webhook.destination": ["Destination", asName("destination")],
  next: [nextLabel, asStep],
  else: [elseLabel, asStep],
  on_timeout: ["After the timeout", asStep],
  "wait.on_missing": ["Without the date", asStep],
};

/** Labels of values that have names of their own, by the path of what holds them. */
const groups: readonly (readonly [holder: string, label: string])[] = [
  ["update.attributes", "Attribute"],
  ["update.profile", "Profile"],
  ["webhook.data", "Data"],
];

function fieldAt(path: readonly string[]): readonly [label: string, write: Write] {
  const name = path.join(".");
  const known = forms[name];
  if (known !== undefined) return known;
  const group = groups.find(([holder]) => `${name}.`.startsWith(`${holder}.`));
  if (group === undefined) return [name, asText];
  const own = name.slice(group[0].length + 1);
  return [own === "" ? group[1] : `${group[1]} ${own}`, asStored];
}

interface StoredWay {
  when?: unknown;
  weight?: number;
  next?: string;
}

/** Describes the ways of a branch or a split, one by one. */
function describeWays(
  kind: "branch" | "split",
  { before, after }: FieldChange,
  nameOf: NameOf,
): ChangeLine[] {
  const read = (side: unknown) => Array.isArray(side) ? side as StoredWay[] : [];
  const [old, now] = [read(before), read(after)];
  const count = Math.max(old.length, now.length);
  return Array.from({ length: count }, (_, n) => {
    const show = (way: StoredWay | undefined) =>
      way && (kind === "branch" ? asCondition(way.when, nameOf) : String(way.weight));
    const label = kind === "split" ? `Weight ${n + 1}` : labelCondition(n, count);
    const to = (way: StoredWay | undefined) => way && asStep(way.next, nameOf);
    const way = kind === "split" ? labelSplitWay(n) : labelConditionWay(n, count);
    return [
      { label, before: show(old[n]), after: show(now[n]) },
      { label: way, before: to(old[n]), after: to(now[n]) },
    ];
  }).flat().filter(({ before, after }) => before !== after);
}
