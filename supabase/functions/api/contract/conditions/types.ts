import type { countBounds, figureBounds, figures, journeyStates, operators } from "./rules.ts";

/** An operator of a test on a field or a property. */
export type Operator = (typeof operators)[number];

/** A value that a test compares with. */
export type TestValue = string | number | boolean | readonly (string | number | boolean)[];

/** A test of one value: an operator, and what it compares with. */
export interface ValueTest {
  op: Operator;
  value?: TestValue;
}

/** A test of a field of the customer, of a run's trigger, or of an event's context. */
export interface FieldCondition extends ValueTest {
  field: string;
}

/** A test of a property of an event. */
export interface PropertyTest extends ValueTest {
  property: string;
}

/** Bounds of a number of events. */
export type CountBounds = { [Bound in (typeof countBounds)[number]]?: number };

/** A figure of a numeric property over events, with its bounds. */
export type FigureBounds =
  & { property: string }
  & {
    [Bound in (typeof figureBounds)[number]]?: number;
  };

/** Events that the customer has, or has not, done. */
export type EventCondition =
  & {
    event: string;
    where?: readonly PropertyTest[];
    /** Length of a window that ends now. */
    within?: string;
    since?: string;
    until?: string;
    count?: CountBounds;
  }
  & { [Figure in (typeof figures)[number]]?: FigureBounds };

/** Membership of a segment, named by id or key. */
export interface SegmentCondition {
  segment: string;
}

/** Subscription to a topic, named by id or key. */
export interface TopicCondition {
  topic: string;
  subscribed: boolean;
}

/** State of the customer's runs in a journey, named by id or key. */
export interface JourneyCondition {
  journey: string;
  state: (typeof journeyStates)[number];
}

/** A share of all customers, in per cent, that is stable for a customer and a salt. */
export interface BucketCondition {
  bucket: string;
  from: number;
  to: number;
}

/** A condition without others inside. */
export type Leaf =
  | FieldCondition
  | EventCondition
  | SegmentCondition
  | TopicCondition
  | JourneyCondition
  | BucketCondition
  // Only in filters of events: a test of the listed event.
  | PropertyTest;

/** A statement about one customer at one instant. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | Leaf;
