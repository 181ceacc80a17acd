import type {
  Definition,
  Step,
  StepKind,
  Trigger,
  WaitStep,
} from "../../../api/journey_definition.ts";
import { describeCondition } from "../../../conditions/describe.ts";
import { writeDuration } from "../../../format/duration.ts";
import type { NameOf } from "./name_of.ts";

/** Names of the kinds of steps, as buttons and steps show them. */
export const kindLabels: Readonly<Record<StepKind, string>> = {
  send: "Send email",
  wait: "Wait",
  wait_for: "Wait for event",
  branch: "Branch",
  split: "Split",
  update: "Update customer",
  webhook: "Send webhook",
  exit: "Exit",
};

/** Purpose of each kind of step, in a few words. */
export const kindTexts: Readonly<Record<StepKind, string>> = {
  send: "Send a template to the customer",
  wait: "For a time, or until a time or date",
  wait_for: "Until an event arrives, or a timeout",
  branch: "By conditions on the customer",
  split: "At random, by weight",
  update: "Change attributes and profile",
  webhook: "Call a destination",
  exit: "End the run here",
};

/** Returns the kind of a step. */
export function kindOf(step: Step): StepKind {
  return Object.keys(kindLabels).find((kind) => kind in step) as StepKind | undefined ?? "exit";
}

/** Describes a step in one line. */
export function describeStep(step: Step, nameOf: NameOf): string {
  if ("send" in step) return nameOf("template", step.send.template) || "Choose a template";
  if ("wait" in step) return describeWait(step.wait);
  if ("wait_for" in step) {
    const { event, timeout } = step.wait_for;
    return event ? `${event}, at most ${writeDuration(timeout)}` : "Choose an event";
  }
  if ("branch" in step) {
    const [first] = step.branch;
    const count = step.branch.length + 1;
    return count > 2 ? `${count} ways` : `If ${describeWhen(first?.when, nameOf)}`;
  }
  if ("split" in step) return step.split.map(({ weight }) => weight).join(" : ");
  if ("update" in step) {
    const { attributes = {}, profile = {} } = step.update;
    const names = [...Object.keys(attributes ?? {}), ...Object.keys(profile ?? {})];
    return names.length > 0 ? `Sets ${names.join(", ")}` : "Choose what to set";
  }
  if ("webhook" in step) {
    return nameOf("destination", step.webhook.destination) || "Choose a destination";
  }
  return "The run ends";
}

function describeWait(wait: WaitStep["wait"]): string {
  if (!("until" in wait)) return `For ${wait.for ? writeDuration(wait.for) : "…"}`;
  if (!("date" in wait.until)) {
    const { at, weekdays } = wait.until;
    return `Until ${at}${weekdays?.length ? ` on ${weekdays.join(", ")}` : ""}`;
  }
  return `Until ${describeDate(wait.until)}`;
}

function describeDate(rule: { date: string; offset?: string; at?: string }): string {
  const at = rule.at ? ` at ${rule.at}` : "";
  if (!rule.offset) return `${rule.date}${at}`;
  const isBefore = rule.offset.startsWith("-");
  const distance = rule.offset.replace(/^[+-]/, "");
  return `${writeDuration(distance)} ${isBefore ? "before" : "after"} ${rule.date}${at}`;
}

/** Describes how customers enter, in one line. */
export function describeTrigger(trigger: Trigger, nameOf: NameOf): string {
  if ("event" in trigger) return trigger.event || "Choose an event";
  if ("segment" in trigger) {
    const verb = trigger.on === "leave" ? "Leaves" : "Enters";
    return `${verb} ${nameOf("segment", trigger.segment) || "a segment"}`;
  }
  return "date" in trigger ? describeDate(trigger) : "Only through the API";
}

/** Describes when runs end early, in one line; empty for journeys without such a rule. */
export function describeEnds({ goal, exit_on, exit_when }: Definition, nameOf: NameOf): string {
  const parts = [
    goal && `Goal: ${goal.event}${goal.within ? ` within ${writeDuration(goal.within)}` : ""}`,
    exit_on && `Exit on ${exit_on.event}`,
    exit_when !== undefined && `Exit when ${describeWhen(exit_when, nameOf)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Names a way out of a step; empty for the only one. */
export function describeWay(step: Step, way: string, nameOf: NameOf): string {
  if ("branch" in step) {
    if (way === "else") return "otherwise";
    return `if ${describeWhen(step.branch[Number(way)]?.when, nameOf)}`;
  }
  if ("split" in step) {
    const total = step.split.reduce((sum, { weight }) => sum + (weight || 0), 0);
    const share = ((step.split[Number(way)]?.weight ?? 0) / (total || 1)) * 100;
    return `${Number(share.toFixed(1))}%`;
  }
  if ("wait_for" in step) {
    if (way === "timeout") return `not within ${writeDuration(step.wait_for.timeout)}`;
    return step.on_timeout === undefined ? "event or timeout" : "event";
  }
  return way === "missing" ? "no date" : "";
}

/** Describes a condition that may be incomplete. */
function describeWhen(condition: unknown, nameOf: NameOf): string {
  return describeCondition(condition, nameOf) || "no condition yet";
}
