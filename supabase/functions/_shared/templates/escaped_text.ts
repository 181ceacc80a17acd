import {
  CaptureTag,
  type Comparable,
  type Context,
  defaultOperators,
  Drop,
  filters as liquidFilters,
  type Liquid,
  type Operators,
} from "liquidjs";

/** Text that is HTML already: an output does not escape it again. */
class EscapedText extends Drop implements Comparable {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  /** As a string has it. */
  get size(): number {
    return this.text.length;
  }

  /** Not the text: some tags would take that for a value, and escape it. */
  override valueOf(): this {
    return this;
  }

  override toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }

  /** For `case`. */
  equals(other: unknown): boolean {
    return this.text === toText(other);
  }

  gt(other: unknown): boolean {
    return this.text > String(other);
  }

  geq(other: unknown): boolean {
    return this.text >= String(other);
  }

  lt(other: unknown): boolean {
    return this.text < String(other);
  }

  leq(other: unknown): boolean {
    return this.text <= String(other);
  }
}

type Filter = (this: unknown, input: unknown, ...args: unknown[]) => string;

const original = liquidFilters as unknown as Record<string, Filter>;
/** Filters that return HTML. */
const escaping = ["escape", "xml_escape", "escape_once"];
/** Filters after which HTML is still HTML. */
const keeping = ["strip", "lstrip", "rstrip", "strip_newlines", "squish"];

/** Escapes a value for HTML, once. */
export function escapeOnce(this: unknown, value: unknown): string {
  return value instanceof EscapedText ? value.text : original.escape!.call(this, value);
}

/** The operators, for which escaped text is text: the engine's own do not see that it is blank. */
export const operators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operate]) => [
    name,
    (...args: unknown[]) => (operate as (...args: unknown[]) => unknown)(...args.map(toText)),
  ]),
) as Operators;

function toText(value: unknown): unknown {
  return value instanceof EscapedText ? value.text : value;
}

/**
 * Makes an engine that escapes its outputs for HTML remember what is escaped: what `capture` holds,
 * and what the filters for escaping return.
 */
export function keepEscaped(engine: Liquid): void {
  for (const name of escaping) {
    engine.registerFilter(name, function (input) {
      return input instanceof EscapedText
        ? input
        : new EscapedText(original[name]!.call(this, input));
    });
  }
  for (const name of keeping) {
    engine.registerFilter(name, function (input, ...args) {
      const text = original[name]!.call(this, input, ...args);
      return input instanceof EscapedText ? new EscapedText(text) : text;
    });
  }
  engine.registerFilter("newline_to_br", function (input) {
    return new EscapedText(original.newline_to_br!.call(this, escapeOnce.call(this, input)));
  });
  engine.registerTag("capture", EscapedCapture);
}

class EscapedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, unknown>;
    scope[this.variable] = new EscapedText(scope[this.variable] as string);
  }
}
