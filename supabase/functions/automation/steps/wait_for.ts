import type { WaitForStep } from "../../_shared/journeys/definition.ts";
import { readDuration } from "../local_time.ts";
import { goNext, noEvent, type StepContext, type StepResult } from "./step.ts";

/** Time until a run looks again whether the events before its timeout are all known, in ms. */
const lookAgainMs = 20;

/**
 * Waits for an event until a timeout. The time of an event is when it was received. As long as an
 * event that was received in time may not be committed yet, the run keeps waiting.
 */
export function takeWaitFor(step: WaitForStep, context: StepContext): StepResult {
  const { run, position, isStart, now } = context;
  const endsAt = position.at + readDuration(step.wait_for.timeout);
  // Events are looked up only for a step at which the run already stands. An event that arrives
  // before the step is committed would wake nobody.
  if (!isStart) return { wakeAt: endsAt, dueAt: now };
  const { awaited } = run.facts;
  if (awaited !== undefined) {
    const event = { at: Date.parse(awaited.received_at), id: awaited.id };
    const isLater = event.at > position.at || (event.at === position.at && event.id > position.id);
    return {
      go: { ...goNext(step), event_id: event.id },
      // An event from before the step moves the run forward, but not its position back.
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
