import type { Trigger } from "../../../api/journey_definition.ts";

/** Properties or attributes by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** An event of a test. Without a time it happens when the test runs. */
export interface TestEvent {
  name: string;
  occurred_at?: string;
  /** Undefined until something is known about them. */
  properties?: Values;
}

/** Input of a test, as the api takes it. */
export interface TestInput {
  customer_id?: string;
  /** A made-up customer. */
  profile?: Values;
  /** Data of the trigger, for a customer who enters without an event. */
  trigger?: Values;
  events?: readonly TestEvent[];
}

/** Returns the input to begin with: the event that the journey begins with, if there is one. */
export function startInput(trigger: Trigger): TestInput {
  return "event" in trigger && trigger.event !== "" ? { events: [{ name: trigger.event }] } : {};
}

/** Checks whether the fields can show an input. Typed JSON may be anything. */
export function isTestInput(value: unknown): value is TestInput {
  if (!isObject(value)) return false;
  const { customer_id, profile, trigger, events } = value;
  return (customer_id === undefined || typeof customer_id === "string") &&
    isOptional(profile) && isOptional(trigger) &&
    (events === undefined || (Array.isArray(events) && events.every(isTestEvent)));
}

function isTestEvent(value: unknown): value is TestEvent {
  return isObject(value) && typeof value.name === "string" && isOptional(value.properties) &&
    (value.occurred_at === undefined || typeof value.occurred_at === "string");
}

function isOptional(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the input with a customer: a made-up one without any field if none was chosen. */
export function completeInput(input: TestInput): TestInput {
  return input.customer_id === undefined ? { profile: {}, ...input } : input;
}
