import { type Address, readEvents, readKind } from "./question.ts";

/** Says which event a question lacks: the first place that is empty. */
export function describeMissing(address: Address): string {
  const place = readEvents(address).findIndex(({ event }) => event === "");
  switch (readKind(address)) {
    case "counts":
      return place > 0
        ? "Choose an event to compare, or remove the empty one."
        : "Choose an event to see its trend.";
    case "funnel":
      return `Choose ${describeStep(place)} to see the funnel.`;
    case "retention":
      return `Choose the ${place > 0 ? "returning" : "first"} event to see retention.`;
    case "paths":
      return "Choose an event to see the paths that follow it.";
  }
}

function describeStep(place: number): string {
  const number = ["first", "second"][place];
  return number === undefined ? `step ${place + 1}` : `a ${number} step`;
}
