import { isRecord, type JsonFault, type JsonPath } from "../../../_shared/json/json.ts";
import { unknownField } from "../../../_shared/entries/validate.ts";
import { maxText } from "./rules.ts";

/** Most faults that are reported for one condition. */
const maxFaults = 10;

export interface ReadOptions {
  /** Allows fields of a run's trigger, as in steps of a journey. @default false */
  allowsTrigger?: boolean;
  /**
   * Allows tests of the listed event's own properties and context, as in a filter of events.
   * @default false
   */
  allowsProperty?: boolean;
  /** Allows only tests of one event: its properties and its context. @default false */
  isAboutEvent?: boolean;
  /** @default 100 */
  maxLeaves?: number;
}

/** A part of a condition: its value and its place. */
export interface Part {
  value: unknown;
  path: JsonPath;
}

/** Collects the faults of a condition while it is read. Its methods return undefined for a fault. */
export class Reader {
  readonly faults: JsonFault[] = [];
  readonly options: ReadOptions;
  leaves = 0;

  constructor(options: ReadOptions) {
    this.options = options;
  }

  /** Adds a fault; the message continues the path. */
  fail(path: JsonPath, message: string): undefined {
    if (this.faults.length < maxFaults) this.faults.push({ path, message });
    return undefined;
  }

  /** Returns an object that has no other fields than the known ones. */
  object({ value, path }: Part, known: readonly string[]): Record<string, unknown> | undefined {
    const record = this.record({ value, path });
    if (record === undefined) return undefined;
    const unknown = Object.keys(record).filter((name) => !known.includes(name));
    for (const name of unknown) this.fail([...path, name], unknownField);
    return unknown.length === 0 ? record : undefined;
  }

  /** Returns an object with any fields. */
  record({ value, path }: Part): Record<string, unknown> | undefined {
    if (value === undefined) return this.fail(path, "is required");
    return isRecord(value) ? value : this.fail(path, "must be an object");
  }

  /** Returns a list of 1 to `most` items of the given kind, as parts. */
  list({ value, path }: Part, { of, most }: { of: string; most: number }): Part[] | undefined {
    if (value === undefined) return this.fail(path, "is required");
    if (!Array.isArray(value) || value.length === 0 || value.length > most) {
      return this.fail(path, `must be a list of 1 to ${most} ${of}`);
    }
    return value.map((item, index) => ({ value: item, path: [...path, index] }));
  }

  /** Returns a text of 1 to `most` characters that Postgres can store. */
  text({ value, path }: Part, most = maxText): string | undefined {
    if (value === undefined) return this.fail(path, "is required");
    if (typeof value !== "string") return this.fail(path, "must be a string");
    if (value === "" || [...value].length > most) {
      return this.fail(path, `must be 1 to ${most} characters long`);
    }
    if (value.includes("\0") || !value.isWellFormed()) {
      return this.fail(path, "must not contain U+0000 or a lone surrogate");
    }
    return value;
  }

  /** Returns a number that a 64-bit float holds exactly. */
  number({ value, path }: Part): number | undefined {
    if (value === undefined) return this.fail(path, "is required");
    if (typeof value === "number" && isExact(value)) return value;
    return this.fail(path, "must be a number, with whole numbers up to 2^53");
  }

  /** Returns a whole number within a range. */
  integer({ value, path }: Part, [least, most]: readonly [number, number]): number | undefined {
    if (Number.isInteger(value) && least <= (value as number) && (value as number) <= most) {
      return value as number;
    }
    return this.fail(path, `must be a whole number from ${least} to ${most}`);
  }

  /** Returns one of the given words. */
  word<const Word extends string>({ value, path }: Part, words: readonly Word[]): Word | undefined {
    if (value === undefined) return this.fail(path, "is required");
    const found = words.find((word) => word === value);
    const quoted = words.map((word) => `"${word}"`).join(", ");
    return found ?? this.fail(path, `must be one of ${quoted}`);
  }
}

/** Returns the part of an object with this name. */
export function partOf(object: Readonly<Record<string, unknown>>, path: JsonPath, name: string) {
  return { value: Object.hasOwn(object, name) ? object[name] : undefined, path: [...path, name] };
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
