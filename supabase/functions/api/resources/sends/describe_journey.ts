import { type Check, makeCheck } from "./check.ts";
import type { JourneyFacts, RunFacts, TriggerFacts } from "./journey_facts.ts";

const states: Readonly<Record<string, string>> = {
  draft: "The journey was never published",
  paused: "The journey is paused: nobody enters, and nobody moves",
  draining: "The journey is draining: nobody enters",
  stopped: "The journey was stopped: nobody enters",
};

const exits: Readonly<Record<string, string>> = {
  completed: "The run completed",
  goal: "The run ended because the goal was reached",
  exit_condition: "The run ended because an exit condition was met or an exit event happened",
  holdout: "The run ended immediately because the customer is held out",
  stopped: "The run ended because the journey was stopped",
  merged: "The run ended because the customer was merged with one who was already inside",
  deleted: "The run ended because the customer was deleted",
  failed: "The run failed",
  removed: "The run was removed",
};

const skips: Readonly<Record<string, string>> = {
  late: "its turn came too late",
  passed_by: "it fell due during a pause, and late steps were skipped when the journey was resumed",
};

/** Describes how a customer entered a journey and left it; null if the journey was deleted. */
export function describeJourney(facts: JourneyFacts | null): Check[] {
  if (facts === null) return [makeCheck("entry", false, "The journey was deleted")];
  const stopped = states[facts.state];
  return [
    ...(stopped === undefined ? [] : [makeCheck("entry", false, stopped)]),
    ...(facts.runs.length === 0 ? describeAbsence(facts) : facts.runs.flatMap(describeRun)),
  ];
}

/** Describes why the customer did not enter the journey. */
function describeAbsence({ trigger, is_met: isMet }: JourneyFacts): Check[] {
  return [
    makeCheck("entry", false, "The customer has never entered the journey"),
    ...(trigger === null ? [] : [describeTrigger(trigger)]),
    ...(isMet === null ? [] : [
      makeCheck("entry", isMet, `The customer ${isMet ? "meets" : "does not meet"} entry.when`),
    ]),
  ];
}

function describeTrigger(trigger: TriggerFacts): Check {
  if ("event" in trigger) {
    const { event, at } = trigger;
    const message = at === null
      ? `The customer has had no event "${event}" that triggers it since it was published`
      : `The customer had the event "${event}" that triggers it`;
    return { ...makeCheck("entry", at !== null, message), at };
  }
  if ("segment" in trigger) {
    const { segment, on, is_member } = trigger;
    const message = `The customer is ${is_member ? "" : "not "}in the segment "${segment}", and ` +
      `customers who ${on} it enter the journey`;
    return makeCheck("entry", is_member === (on === "enter"), message);
  }
  if ("date" in trigger) {
    const { date, at } = trigger;
    const message = at === null
      ? `"${date}" has no date in the future`
      : `The customer enters on the date in "${date}"`;
    return { ...makeCheck("entry", at !== null, message), at };
  }
  return makeCheck("entry", false, "Customers enter only through the API");
}

function describeRun(run: RunFacts): Check[] {
  const { version, state, reason, step, entered_at, exited_at, wake_at, skipped } = run;
  const until = wake_at === null ? "" : ` until ${wake_at}`;
  const exit = exits[reason ?? ""] ?? `The run ended: ${reason}`;
  const entry = makeCheck("entry", true, `The customer entered version ${version} of the journey`);
  return [
    { ...entry, at: entered_at },
    ...skipped.map(({ step, reason, at }) => {
      const message = `The step "${step}" sent nothing: ${skips[reason] ?? reason}`;
      return { ...makeCheck("step", false, message), at };
    }),
    state === "active" ? makeCheck("step", true, `The run is at the step "${step}"${until}`) : {
      ...makeCheck("exit", reason === "completed", `${exit}, at the step "${step}"`),
      at: exited_at,
    },
  ];
}
