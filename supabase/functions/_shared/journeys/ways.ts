import type { Step } from "./definition.ts";

/** A way from a step to the next one. */
export interface Way {
  /** Name of the way, as in a run's log: "next", "timeout", "missing", "else" or "0", "1", … */
  name: string;
  /** Field that names the next step, as a path below the step. */
  path: readonly (string | number)[];
  to: string;
  /** True if time passes, or an event arrives, before a run goes this way. */
  isWaiting: boolean;
}

interface WayOptions {
  isWaiting?: boolean;
  name?: string;
}

/** Lists the ways out of a step; a step at which a run may end has `endsRun`. */
export function listWays(step: Step): { ways: Way[]; endsRun: boolean } {
  if ("exit" in step) return { ways: [], endsRun: true };
  if ("branch" in step) {
    const cases = step.branch.map(({ next }, n) => wayTo(["branch", n, "next"], next));
    return { ways: [...cases, wayTo(["else"], step.else)].flat(), endsRun: false };
  }
  if ("split" in step) {
    const ways = step.split.flatMap(({ next }, n) => wayTo(["split", n, "next"], next));
    return { ways, endsRun: false };
  }
  const next = wayTo(["next"], step.next, { isWaiting: isWaiting(step) });
  return { ways: [...next, ...listOtherWays(step)], endsRun: step.next === undefined };
}

function listOtherWays(step: Step): Way[] {
  if ("wait_for" in step) {
    return wayTo(["on_timeout"], step.on_timeout, { name: "timeout", isWaiting: true });
  }
  if (!("wait" in step) || !("on_missing" in step.wait)) return [];
  return wayTo(["wait", "on_missing"], step.wait.on_missing, { name: "missing" });
}

function wayTo(path: Way["path"], to: string | undefined, options: WayOptions = {}): Way[] {
  if (to === undefined) return [];
  const index = path.find((part) => typeof part === "number");
  const { name = `${index ?? path[0]}`, isWaiting = false } = options;
  return [{ name, path, to, isWaiting }];
}

/**
 * Checks that a step is sure to let time pass. Waiting for a date or an earlier event is not: the
 * date may have passed, and the event may have arrived.
 */
function isWaiting(step: Step): boolean {
  if ("wait_for" in step) return (step.wait_for.since ?? "step") === "step";
  return "wait" in step && ("for" in step.wait || !("date" in step.wait.until));
}
