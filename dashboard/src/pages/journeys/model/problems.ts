import { checkGraph, readDefinition } from "../../../api/journey_checks.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import { sayRequired } from "../../../api/say_required.ts";
import { endsPart, entryPart } from "./parts.ts";

type Path = readonly (string | number)[];

/** A fault of a definition, and its place. */
export interface Problem {
  /** Path in the definition, such as `["steps", "pause", "wait", "for"]`. */
  path: Path;
  /** Continues the name of the field: "must be …". */
  message: string;
}

/** Says what a condition without parts lacks. */
export const lacksCondition = "Add a condition";

/** Finds what keeps a draft from being saved: faults of single parts. */
export function findFormProblems(definition: Definition): Problem[] {
  const read = readDefinition(definition);
  return read.ok ? [] : [...read.faults];
}

/** Finds steps that do not fit together; such a draft can be saved, but not published. */
export function findGraphProblems(definition: Definition): Problem[] {
  return checkGraph(definition);
}

/** Reads a field of an error, `definition.steps["wait-2d"].wait.for`, as a path in the definition. */
export function readField(field: string): Path {
  const parts = [...field.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)];
  const path = parts.map(([, quoted, index, name]) => {
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`) as string;
    return index !== undefined ? Number(index) : name!;
  });
  return path[0] === "definition" ? path.slice(1) : path;
}

/** Part of an editor that shows a problem: a step, the entry or the ends. */
export function partOf({ path }: Problem): string {
  const [first, step] = path;
  if (first === "steps" && typeof step === "string") return step;
  return first === "goal" || first === "exit_when" || first === "exit_on" ? endsPart : entryPart;
}

/** Groups problems by the part that shows them. */
export function groupProblems(problems: readonly Problem[]): Map<string, Problem[]> {
  return Map.groupBy(problems, partOf);
}

/** Finds the problem that a field shows: of the field itself, or of a place inside it. */
export function problemAt(problems: readonly Problem[], path: Path): Problem | undefined {
  return problems.find((problem) => path.every((part, n) => problem.path[n] === part));
}

/** Returns the message for a field. */
export function messageAt(problems: readonly Problem[], path: Path): string | undefined {
  const found = problemAt(problems, path);
  if (found === undefined) return undefined;
  const empty = describeEmpty(found);
  if (empty !== undefined) return empty;
  const inner = found.path.slice(path.length);
  const message = sayRequired(found.message);
  if (inner.length === 0) return describeLength(message) ?? message;
  return `${inner.join(".")} ${message}`;
}

/** Returns what to do about a field that was not filled in yet; undefined for other problems. */
function describeEmpty({ path, message }: Problem): string | undefined {
  if (message === "must be an id or a key") return `Choose a ${path.at(-1)}`;
  if (message === "must be a list of 1 to 100 conditions") return lacksCondition;
  return undefined;
}

/** Returns how to fill in a field of a number and a unit; undefined for other problems. */
function describeLength(message: string): string | undefined {
  const [, days] = /^must be a (?:signed )?duration .*up to (\d+)d$/.exec(message) ?? [];
  return days && `Enter a whole number from 1, up to ${days} days`;
}

/** Describes a problem as a sentence that names its field. */
export function describeProblem(problem: Problem): string {
  const { path } = problem;
  const message = sayRequired(problem.message);
  const empty = describeEmpty(problem);
  if (empty !== undefined) return empty;
  const [first, step, ...inner] = path;
  const isStep = first === "steps" && step !== undefined;
  const name = isStep ? inner.join(".") : path.join(".");
  if (isStep && name === "") return `This step ${message}`;
  return name === "" ? `The definition ${message}` : `${name} ${message}`;
}
