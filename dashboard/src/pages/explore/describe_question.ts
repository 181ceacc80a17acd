import { countOf } from "../../format/numbers.ts";
import {
  addsUp,
  type ExploredEvent,
  lengths,
  operators,
  type Question,
  type Test,
} from "./question.ts";

type CountsBody = Extract<Question, { kind: "counts" }>["body"];

/** Describes a question in one line: "order_completed per day, last 30 days, by plan". */
export function describeQuestion({ kind, body }: Question, range: string): string {
  switch (kind) {
    case "counts": {
      const split = body.property === undefined ? "" : `, by ${body.property}`;
      return `${describeMeasure(body)} per ${body.interval}, ${range}${split}`;
    }
    case "funnel": {
      const steps = body.steps.map(describeEvent).join(" → ");
      return `${steps} within ${nameLength(body.within)}, ${range}`;
    }
    case "retention": {
      const events = `${describeEvent(body.start)} → ${describeEvent(body.return)}`;
      return `${events} for ${countOf(body.periods ?? 0, body.interval ?? "week")}, ${range}`;
    }
    case "paths": {
      const events = `${countOf(body.depth ?? 0, "event")} after ${describeEvent(body.start)}`;
      return `${events} within ${nameLength(body.within)}, ${range}`;
    }
  }
}

function describeMeasure({ measure, value, event }: CountsBody): string {
  const name = describeEvent(event);
  if (measure === "customers") return `Customers with ${name}`;
  return addsUp(measure) ? `${nameMeasure({ measure, value })} of ${name},` : name;
}

/** Names a measure of trends: "Events", "Sum of total". */
export function nameMeasure({ measure, value }: Pick<CountsBody, "measure" | "value">): string {
  if (addsUp(measure)) return `${measure === "sum" ? "Sum" : "Average"} of ${value}`;
  return measure === "customers" ? "Customers" : "Events";
}

function describeEvent({ event, where = [] }: ExploredEvent): string {
  return where.length === 0 ? event : `${event} (${where.map(describeTest).join(", ")})`;
}

function describeTest({ property, op, value }: Test): string {
  const name = operators.find(({ value }) => value === op)?.label ?? op;
  return [property, name, ...value === undefined ? [] : [value]].join(" ");
}

function nameLength(length: string | undefined): string | undefined {
  return lengths.find(({ value }) => value === length)?.label ?? length;
}
