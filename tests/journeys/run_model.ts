import type {
  BranchStep,
  Definition,
} from "../../supabase/functions/_shared/journeys/definition.ts";
import { readDuration } from "../../supabase/functions/automation/local_time.ts";
import { pickBucket } from "../../supabase/functions/automation/steps/split.ts";

/** An event of a customer; `place` is its number among all events. */
export interface ModelEvent {
  name: string;
  kind: string;
  /** In ms since 1970. */
  at: number;
  place: number;
}

/** A run, followed by hand. */
export interface ModelRun {
  key: string;
  isParallel: boolean;
  start: ModelEvent;
  step: string;
  /** An instant, and the event that came last before it. */
  position: { at: number; place: number };
  path: string[];
  reason: string | null;
}

/** A customer with everything that decides about runs. */
export interface ModelCustomer {
  id: string;
  events: ModelEvent[];
  /** Events that were not judged for an entry yet. */
  news: ModelEvent[];
  entered: Set<string>;
  runs: ModelRun[];
}

/** The journey that customers of a model pass through. */
export interface ModelJourney {
  id: string;
  definition: Definition;
}

/** Has customers enter, and moves their runs, as of a time in ms since 1970. */
export function moveCustomer(customer: ModelCustomer, journey: ModelJourney, now: number): void {
  for (const event of customer.news.splice(0)) enter(customer, journey, event);
  for (const run of customer.runs) {
    while (run.reason === null && moveRun(run, { customer, journey, now }));
  }
}

function enter(customer: ModelCustomer, { definition }: ModelJourney, event: ModelEvent): void {
  const { again = "never", key: hasKey } = definition.entry ?? {};
  const key = hasKey === undefined ? "" : event.kind;
  const isInside = customer.runs.some((run) => run.key === key && run.reason === null);
  const isRefused = again === "never" ? customer.entered.has(key) : isInside && again !== "always";
  if (event.name !== "start" || isRefused) return;
  customer.entered.add(key);
  const { at, place } = event;
  customer.runs.push({
    key,
    isParallel: again === "always",
    start: event,
    step: definition.start,
    position: { at, place },
    path: [],
    reason: null,
  });
}

/** Gives all of a customer to another one, who survives. */
export function mergeCustomers(survivor: ModelCustomer, merged: ModelCustomer): void {
  const byPlace = (a: { place: number }, b: { place: number }) => a.place - b.place;
  survivor.events = [...survivor.events, ...merged.events].toSorted(byPlace);
  survivor.entered = survivor.entered.union(merged.entered);
  survivor.runs = [...survivor.runs, ...merged.runs]
    .toSorted((a, b) => byPlace(a.start, b.start));
  const inside = new Set<string>();
  for (const run of survivor.runs.filter((run) => run.reason === null && !run.isParallel)) {
    if (inside.has(run.key)) exit(run, "merged");
    inside.add(run.key);
  }
}

function exit(run: ModelRun, reason: string): void {
  run.path.push(`${run.step} exit`);
  run.reason = reason;
}

interface Surroundings {
  customer: ModelCustomer;
  journey: ModelJourney;
  now: number;
}

/** Takes one step; false if the run stays where it is. */
function moveRun(run: ModelRun, surroundings: Surroundings): boolean {
  const { customer: { events }, journey: { definition }, now } = surroundings;
  const isGoal = ({ name, place }: ModelEvent) =>
    name === definition.goal?.event && place > run.start.place;
  if (events.some(isGoal)) {
    exit(run, "goal");
    return false;
  }
  const taken = takeStep(run, surroundings);
  if (taken.position.at > now) return false;
  run.path.push(`${run.step} ${taken.way}`);
  run.position = taken.position;
  if (taken.next === undefined) run.reason = "completed";
  else run.step = taken.next;
  return true;
}

interface Taken {
  way: string;
  next: string | undefined;
  position: ModelRun["position"];
}

function takeStep(run: ModelRun, { customer, journey }: Surroundings): Taken {
  const { position } = run;
  const { events } = customer;
  const step = journey.definition.steps[run.step]!;
  const placeAt = (at: number) =>
    Math.max(-1, ...events.filter((e) => e.at < at).map((e) => e.place));
  const after = (ms: number) => {
    const at = position.at + ms;
    return { at, place: Math.max(position.place, placeAt(at)) };
  };
  if ("exit" in step) return { way: "end", next: undefined, position };
  if ("wait" in step) {
    const { for: length } = step.wait as { for: string };
    return { way: "next", next: step.next, position: after(readDuration(length)) };
  }
  if ("wait_for" in step) {
    const { event, timeout, since } = step.wait_for;
    const from = since === "entry" ? run.start : position;
    const end = after(readDuration(timeout));
    const found = events.find(({ name, at, place }) =>
      name === event && place > from.place && at >= from.at && at < end.at
    );
    if (found === undefined) return { way: "timeout", next: step.on_timeout, position: end };
    return {
      way: "next",
      next: step.next,
      position: found.place > position.place ? found : position,
    };
  }
  if ("split" in step) {
    const n = pickBucket(`${journey.id}:${run.step}`, customer.id) < 100 / 3 ? 0 : 1;
    return { way: `${n}`, next: step.split[n]!.next, position };
  }
  if ("branch" in step) return { ...takeBranch(step, run.start.kind), position };
  return { way: "next", next: (step as { next: string }).next, position };
}

function takeBranch(step: BranchStep, kind: string) {
  const [{ when, next }] = step.branch as [BranchStep["branch"][number]];
  const isTrue = (when as unknown as { value: string }).value === kind;
  return isTrue ? { way: "0", next } : { way: "else", next: step.else };
}
