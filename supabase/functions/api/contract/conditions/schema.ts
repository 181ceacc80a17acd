import { z } from "zod";
import type { JsonFault } from "../../../_shared/json/json.ts";
import { describeCondition, describeEventCondition } from "./describe_condition.ts";
import { readCondition } from "./read_condition.ts";
import type { ReadOptions } from "./reader.ts";
import { maxTests } from "./rules.ts";
import type { Condition } from "./types.ts";

/** Most characters of a filter: a longer address would be refused by servers on the way. */
export const maxFilterLength = 8000;

/** A condition: checked as a whole, so that the path of an error names the leaf. */
export const condition = checkedCondition(describeCondition()).meta({ id: "Condition" });

/** A condition on an event alone. Each batch compiles it, so it is smaller. */
export const eventCondition = checkedCondition(describeEventCondition(), {
  isAboutEvent: true,
  maxLeaves: maxTests,
}).refine((read) => JSON.stringify(read).length <= maxFilterLength, {
  message: `must be at most ${maxFilterLength} characters of JSON`,
}).meta({ id: "EventCondition" });

function checkedCondition(
  description: Record<string, unknown>,
  options: ReadOptions = {},
) {
  return z.custom<Condition>((value) => value !== undefined, { error: "is required" })
    .meta(description)
    .check((payload) => {
      const read = readCondition(payload.value, options);
      if (read.ok) payload.value = read.condition;
      else payload.issues.push(...read.faults.map((fault) => toIssue(fault, payload.value)));
    });
}

/** A condition as JSON in a query. */
export function filter(options: ReadOptions = {}) {
  return z.string().max(maxFilterLength, `must be at most ${maxFilterLength} characters long`)
    .transform((text, context): Condition => {
      const value = parseJson(text);
      if (value === undefined) {
        context.issues.push({
          code: "custom",
          message: "must be a condition as JSON",
          input: text,
        });
        return z.NEVER;
      }
      const read = readCondition(value, options);
      if (read.ok) return read.condition;
      context.issues.push(...read.faults.map((fault) => toIssue(fault, value)));
      return z.NEVER;
    });
}

function toIssue({ path, message }: JsonFault, input: unknown) {
  return { code: "custom" as const, message, path: [...path], input };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
