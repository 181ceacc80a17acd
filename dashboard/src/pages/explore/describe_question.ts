import { countOf } from "../../format/numbers.ts";
import {
  addsUp,
  type CountsQuestion,
  type ExploredEvent,
  lengths,
  listEvents,
  operators,
  type Question,
  type Test,
} from "./question.ts";

type CountsBody = CountsQuestion["body"];

/** Describes a question in one line: "order_completed per day, last 30 days, by plan". */
export function describeQuestion(question: Question, range: string): string {
  switch (question.kind) {
    case "counts": {
      const { interval, property } = question.body;
      const split = property === undefined ? "" : `, by ${property}`;
      return `${describeMeasure(question)} per ${interval}, ${range}${split}`;
    }
    case "funnel": {
      const { steps, within } = question.body;
      return `${steps.map(describeEvent).join(" → ")} within ${nameLength(within)}, ${range}`;
    }
    case "retention": {
      const { start, return: returning, periods = 0, interval = "week" } = question.body;
      const events = `${describeEvent(start)} → ${describeEvent(returning)}`;
      return `${events} for ${countOf(periods, interval)}, ${range}`;
    }
    case "paths": {
      const { start, depth = 0, within } = question.body;
      const events = `${countOf(depth, "event")} after ${describeEvent(start)}`;
      return `${events} within ${nameLength(within)}, ${range}`;
    }
  }
}

function describeMeasure(question: CountsQuestion): string {
  const { measure, value } = question.body;
  const name = listEvents(question).map(describeEvent).join(", ");
  if (measure === "customers") return `Customers with ${name}`;
  return addsUp(measure) ? `${nameMeasure({ measure, value })} of ${name},` : name;
}

/** Names a measure of trends: "Events", "Sum of total". */
export function nameMeasure({ measure, value }: Pick<CountsBody, "measure" | "value">): string {
  if (addsUp(measure)) return `${measure === "sum" ? "Sum" : "Average"} of ${value}`;
  return measure === "customers" ? "Customers" : "Events";
}

/** Describes an event with its tests: "order_completed (plan is pro)". */
export function describeEvent({ event, where = [] }: ExploredEvent): string {
  return where.length === 0 ? event : `${event} (${where.map(describeTest).join(", ")})`;
}

function describeTest({ property, op, value }: Test): string {
  const name = operators.find(({ value }) => value === op)?.label ?? op;
  return [property, name, ...value === undefined ? [] : [value]].join(" ");
}

/** Names a length of time as the choices have it: "7 days". */
export function nameLength(length: string | undefined): string | undefined {
  return lengths.find(({ value }) => value === length)?.label ?? length;
}
