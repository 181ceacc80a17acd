import type { Definition } from "../../../api/journey_definition.ts";
import { countOf } from "../../../format/numbers.ts";
import { edgeId, entryPart } from "./parts.ts";
import { listSlots } from "./slots.ts";

/** Figures of a step, as the api counts them. */
interface CountedStep {
  step: string;
  came: number;
  waiting?: number;
  ways: Readonly<Record<string, number>>;
  sent?: number;
  /** Left out by a rehearsal, in which nothing is sent. */
  opened?: number;
  clicked?: number;
  skipped?: Readonly<Record<string, number>>;
  failed?: number;
  bounced?: number;
}

/** Figures of a journey, or of a rehearsal. */
export interface CountedJourney {
  /** Runs that began, with those held out. */
  entered: number;
  holdout: { entered: number };
  steps: readonly CountedStep[];
}

const whole = new Intl.NumberFormat("en");

/** Writes the figures of the trigger, and of each step and way, as short texts for the canvas. */
export function readFigures(definition: Definition, { entered, holdout, steps }: CountedJourney) {
  const passed = whole.format(entered - holdout.entered);
  const trigger = [
    `${passed} entered`,
    ...holdout.entered > 0 ? [`${whole.format(holdout.entered)} held out`] : [],
  ].join(" · ");
  const byStep = new Map([
    [entryPart, trigger],
    ...steps.map((step) => [step.step, describe(step)] as const),
  ]);
  const ways = new Map([[edgeId({ step: null, way: "start" }), passed]]);
  for (const counted of steps) {
    const step = definition.steps[counted.step];
    if (step === undefined) continue;
    const slots = listSlots(counted.step, step);
    for (const slot of slots) {
      ways.set(edgeId(slot), whole.format(countWay(counted, slots, slot.way)));
    }
  }
  const troubles = new Map(
    steps.map((step) => [step.step, sayTroubles(listTroubles(step))]),
  );
  return { steps: byStep, ways, troubles };
}

/** Names of the reasons for which a step did nothing, in the place of the words of the reason. */
const skipNames: Readonly<Record<string, string>> = {
  late: "too late",
  unsubscribed: "not subscribed",
};

/** Lists what went wrong at a step with its number, the most frequent first: "no address". */
export function listTroubles(
  { skipped = {}, failed = 0, bounced = 0 }: Partial<CountedStep>,
): [name: string, count: number][] {
  const skips = Object.entries(skipped).map(([reason, count]): [string, number] => [
    skipNames[reason] ?? reason.replaceAll("_", " "),
    count,
  ]);
  const all: [string, number][] = [...skips, ["failed", failed], ["bounced", bounced]];
  return all.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}

/** Names the most frequent one, and adds up the others: a canvas has room for one line. */
function sayTroubles([first, ...others]: readonly [name: string, count: number][]): string {
  if (first === undefined) return "";
  const [name, count] = first;
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  return [`${whole.format(count)} ${name}`, ...rest > 0 ? [`${whole.format(rest)} other`] : []]
    .join(", ");
}

/**
 * Counts the runs of a way. A timeout without a way of its own takes the way of the event. Runs that
 * ended at the step, as those of erased customers, or were moved, took none of its ways.
 */
export function countWay(
  { ways }: CountedStep,
  slots: readonly { way: string }[],
  way: string,
): number {
  const own = ways[way] ?? 0;
  const hasTimeout = slots.some((slot) => slot.way === "timeout");
  return way === "next" && !hasTimeout ? own + (ways.timeout ?? 0) : own;
}

function describe({ came, waiting = 0, ...step }: CountedStep): string {
  const parts = [
    waiting > 0 && `${whole.format(waiting)} here now`,
    `${whole.format(came)} reached`,
    describeEmails(step),
  ];
  return parts.filter(Boolean).join(" · ");
}

function describeEmails({ sent = 0, opened, clicked = 0 }: Partial<CountedStep>): string {
  if (sent === 0) return "";
  if (opened === undefined) return countOf(sent, "email");
  const [all, read, followed] = [sent, opened, clicked].map((count) => whole.format(count));
  return `${all} sent, ${read} opened, ${followed} clicked`;
}
