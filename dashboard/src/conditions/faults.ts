import { createContext, useContext } from "react";
import { ApiCallError } from "../api/api_client.ts";

/** Place of a value inside a condition. */
export type Path = readonly (string | number)[];

/** An error at a place of a condition; the message continues the name of the place. */
export interface Fault {
  path: Path;
  message: string;
}

/** Writes a path as the api does: `all[2].within`. */
export function formatPath(path: Path): string {
  return path.map((step, index) =>
    typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`
  ).join("");
}

/** Reads a path such as `all[2].within`. */
export function parsePath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)]
    .map(([, index, name]) => index === undefined ? name ?? "" : Number(index));
}

/**
 * Returns the faults of a condition that an error of the api names.
 * @param root the condition's place in the request, such as `condition`
 */
export function readFaults(error: Error | null | undefined, root: string): Fault[] {
  const details = error instanceof ApiCallError ? error.body.details ?? [] : [];
  return details.flatMap(({ field, message }) => {
    if (field !== root && !field.startsWith(`${root}.`) && !field.startsWith(`${root}[`)) return [];
    return [{ path: parsePath(field.slice(root.length)), message }];
  });
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string | number, unknown> | undefined | null)?.[step],
    value,
  );
}

/** Returns whether nothing has been entered. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Object.values(value).every((item) => item === undefined);
}

export function startsWith(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

const FaultsContext = createContext<readonly Fault[]>([]);
export const FaultsProvider = FaultsContext.Provider;

/** The faults at a place and inside of it. */
export function useFaults(path: Path): readonly Fault[] {
  return useContext(FaultsContext).filter((fault) => startsWith(fault.path, path));
}

/** Returns a function that says whether there is a fault at one of the names inside a place. */
export function useHasFault(path: Path): (...names: string[]) => boolean {
  const faults = useFaults(path);
  return (...names) => faults.some((fault) => names.includes(String(fault.path[path.length])));
}
