import type { DateRule, WaitStep } from "../../_shared/journeys/definition.ts";
import { chooseZone, dateInstant, nextTimeOfDay, readDuration } from "../local_time.ts";
import { goNext, noEvent, type StepContext, type StepResult } from "./step.ts";

/** Waits for a time, or until one that is computed from the customer as they are now. */
export function takeWait(step: WaitStep, context: StepContext): StepResult {
  const end = findEnd(step, context);
  if (end === undefined) {
    const to = "on_missing" in step.wait ? step.wait.on_missing : undefined;
    return to === undefined
      ? { go: { way: "missing", to: null }, fails: true }
      : { go: { way: "missing", to } };
  }
  if (end > context.now) return { wakeAt: end };
  const position = end > context.position.at ? { at: end, id: noEvent } : context.position;
  return { go: goNext(step), position };
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
