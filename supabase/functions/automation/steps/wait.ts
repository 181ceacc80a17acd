import type { DateRule, WaitStep } from "../../_shared/journeys/definition.ts";
import { chooseZone, dateInstant, nextTimeOfDay, readDuration } from "../local_time.ts";
import { goNext, noEvent, type Position, type StepContext, type StepResult } from "./step.ts";

/** Waits for a time, or until one that is computed from the customer as they are now. */
export function takeWait(step: WaitStep, context: StepContext): StepResult {
  const end = findEnd(step, context);
  if (end !== undefined && end > context.now) return { wakeAt: end };
  const position = findTurn(step, context, end);
  if (end !== undefined) return { go: goNext(step), position };
  const to = "on_missing" in step.wait ? step.wait.on_missing : undefined;
  return to === undefined
    ? { go: { way: "missing", to: null }, position, fails: true }
    : { go: { way: "missing", to }, position };
}

/**
 * Finds when the run continues: at the end of the wait or, if the customer has changed so that the
 * end is earlier or missing, at the change.
 */
function findTurn(step: WaitStep, context: StepContext, end: number | undefined): Position {
  const { run: { facts }, position, isStart, now } = context;
  const { wake_at, customer } = facts;
  const isMoved = isStart && wake_at !== null && "until" in step.wait &&
    (end === undefined || end < Date.parse(wake_at));
  const changedAt = Date.parse(`${customer?.updated_at}`);
  const at = Math.max(end ?? 0, isMoved ? Math.min(changedAt, now) : 0);
  return at > position.at ? { at, id: noEvent } : position;
}

function findEnd({ wait }: WaitStep, { run, position }: StepContext): number | undefined {
  if ("for" in wait) return position.at + readDuration(wait.for);
  const { customer, workspace_zone } = run.facts;
  const own = wait.until.zone === "workspace" ? null : customer?.timezone;
  const zone = chooseZone(own as string | null | undefined, workspace_zone);
  if (!("date" in wait.until)) return nextTimeOfDay(position.at, wait.until, zone);
  return dateInstant(readValue(wait.until, context(run)), wait.until, zone);
}

function context(run: StepContext["run"]): Record<string, unknown> {
  return { ...run.facts.customer, trigger: run.trigger };
}

function readValue({ date }: DateRule, facts: Record<string, unknown>): unknown {
  let value: unknown = facts;
  for (const name of date.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
