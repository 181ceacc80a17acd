/** A condition on one customer, as JSON; the database evaluates it. */
export type StoredCondition = object;

/** A test of a property of an event; the database evaluates it. */
export interface StoredTest {
  property: string;
  op: string;
  value?: unknown;
}

/** A property of an event that must equal a value of the run: `trigger.<path>` or `run.id`. */
export interface Match {
  property: string;
  same_as: string;
}

/** Events of a name, with tests of their properties. */
export interface EventFilter {
  event: string;
  where?: readonly StoredTest[];
}

/** Events of a name that belong to a run. */
export interface MatchedEvents extends EventFilter {
  match?: readonly Match[];
}

/** Customers that enter or leave a segment. */
export interface SegmentTrigger {
  segment: string;
  on: "enter" | "leave";
}

/** Source of the time zone of a local time. */
export type ZoneSource = "customer" | "workspace";

/** A date of the customer, or of a run's trigger, moved by an offset. */
export interface DateRule {
  /** `attributes.<path>`, `created_at` or, in a wait, `trigger.<path>`. */
  date: string;
  /** Signed duration, such as "-7d". */
  offset?: string;
  /** Local time of day as HH:MM; without it, the instant itself. */
  at?: string;
  /** @default "customer" */
  zone?: ZoneSource;
}

/** The next local time of day on one of the weekdays. */
export interface TimeOfDayRule {
  /** @default all days */
  weekdays?: readonly Weekday[];
  /** Local time of day as HH:MM. */
  at: string;
  /** @default "customer" */
  zone?: ZoneSource;
}

/** A day of the week. */
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

/** The cause of an entry. */
export type Trigger = EventFilter | SegmentTrigger | DateRule | { api: true };

/** Rules of entry. */
export interface Entry {
  when?: StoredCondition;
  /** Path of the value that distinguishes the runs of one customer: `trigger.<path>`. */
  key?: string;
  /** @default "never" */
  again?: "never" | "after_exit" | "always" | { after: string };
  /** Per cent of those who enter. They are recorded, and leave at once. @default 0 */
  holdout?: number;
  /** Lets the current members of the trigger's segment enter. @default false */
  include_current?: boolean;
}

/** The event that a journey is for; it ends the run. */
export interface Goal extends MatchedEvents {
  /** Longest time from the entry to the goal. @default no limit */
  within?: string;
}

/** Sends a template. */
export interface SendStep {
  send: {
    template: string;
    sender: string;
    /** Without a topic the send is transactional. */
    topic?: string;
    /** Longest delay after the step was due. @default "24h" */
    not_after?: string;
    /** @default "skip" */
    on_cap?: "skip" | "wait";
  };
  next?: string;
}

/** Waits for a time. */
export interface WaitStep {
  wait:
    | { for: string }
    | { until: TimeOfDayRule }
    /** `on_missing`: the step after a date that is missing or unreadable. @default the run fails */
    | { until: DateRule; on_missing?: string };
  next?: string;
}

/** Waits for an event. */
export interface WaitForStep {
  wait_for: MatchedEvents & {
    /** The earliest events that count: since this step, or since the run began. @default "step" */
    since?: "step" | "entry";
    timeout: string;
  };
  next?: string;
  /** @default next */
  on_timeout?: string;
}

/** Continues on the way of the first condition that holds. */
export interface BranchStep {
  branch: readonly { when: StoredCondition; next: string }[];
  else: string;
}

/** Divides customers at random. A customer always goes the same way. */
export interface SplitStep {
  /** Weights are relative to their sum. */
  split: readonly { weight: number; next: string }[];
}

/** Changes the customer. */
export interface UpdateStep {
  /** The same as in an identify: null removes a value. */
  update: {
    attributes?: Readonly<Record<string, unknown>>;
    profile?: Readonly<Record<string, string | null>>;
  };
  next?: string;
}

/** Sends a message to a destination. */
export interface WebhookStep {
  /** Texts in `data` are Liquid. */
  webhook: { destination: string; data?: Readonly<Record<string, unknown>> };
  next?: string;
}

/** Ends the run. */
export interface ExitStep {
  exit: Readonly<Record<never, never>>;
}

/** A step of any kind. */
export type Step =
  | SendStep
  | WaitStep
  | WaitForStep
  | BranchStep
  | SplitStep
  | UpdateStep
  | WebhookStep
  | ExitStep;

/**
 * Graph of the steps of a journey. A step without `next` is the last; in a published version,
 * references are ids.
 */
export interface Definition {
  trigger: Trigger;
  entry?: Entry;
  goal?: Goal;
  exit_when?: StoredCondition;
  exit_on?: MatchedEvents;
  /** Id of the first step. */
  start: string;
  steps: Readonly<Record<string, Step>>;
}
