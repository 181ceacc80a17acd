import type { WaitForStep } from "../../_shared/journeys/definition.ts";
import { readDuration } from "../local_time.ts";
import { goNext, noEvent, type StepContext, type StepResult } from "./step.ts";

/** Time until a run looks again whether the events before its timeout are all known, in ms. */
const lookAgainMs = 20;

/**
 * Waits for an event, or for the time by which it must have come. What counts is when the event was
 * received: while one that was received in time may not be committed yet, the run waits.
 */
export function takeWaitFor(step: WaitForStep, context: StepContext): StepResult {
  const { run, position, isStart, now } = context;
  const endsAt = position.at + readDuration(step.wait_for.timeout);
  // Events are looked up for a step at which the run stands: what comes before that is committed
  // would wake nobody.
  if (!isStart) return { wakeAt: endsAt, dueAt: now };
  const { awaited } = run.facts;
  if (awaited !== undefined) {
    const event = { at: Date.parse(awaited.received_at), id: awaited.id };
    const isLater = event.at > position.at || (event.at === position.at && event.id > position.id);
    return {
      go: { ...goNext(step), event_id: event.id },
      // One from before the step moves the run on, but not back.
      position: isLater ? event : position,
    };
  }
  if (endsAt > now) return { wakeAt: endsAt };
  const { known_until } = run.facts;
  if (known_until !== undefined && Date.parse(known_until) < endsAt) {
    return { wakeAt: endsAt, dueAt: now + lookAgainMs };
  }
  return {
    go: { way: "timeout", to: step.on_timeout ?? step.next ?? null },
    position: { at: endsAt, id: noEvent },
  };
}
