/** An event that a run waited for, or that ends it. */
export interface FoundEvent {
  id: string;
  /** RFC 3339. */
  received_at: string;
}

/** Everything that decides how a run moves, besides its definition and the time. */
export interface Facts {
  /** As the api shows it; null if the customer is gone. */
  customer: Readonly<Record<string, unknown>> | null;
  /** IANA name of the workspace's time zone. */
  workspace_zone: string;
  /** Answers of branches by "<step>:<place>"; branches that the run cannot reach are missing. */
  answers: Readonly<Record<string, boolean>>;
  exit_when: boolean;
  /** RFC 3339: when the passing of time can change `exit_when`; null for never. */
  exit_changes_at: string | null;
  /** RFC 3339: the end of the wait at which the run stands, as it was computed last. */
  wake_at: string | null;
  /**
   * RFC 3339: all events that were received before this time are known. Later ones may not be
   * committed yet. Undefined: all events are known, as in a simulation.
   */
  known_until?: string;
  goal?: FoundEvent;
  exit_on?: FoundEvent;
  /** The event of the `wait_for` at which the run stands. */
  awaited?: FoundEvent;
}

/** Reason for which a run ends. */
export type EndReason = "completed" | "goal" | "exit_condition" | "failed" | "deleted";

/** A run as it was claimed. */
export interface RunState {
  run_id: string;
  journey_id: string;
  journey_name: string;
  version: number;
  customer_id: string;
  step: string;
  /** Steps taken so far. */
  visit: number;
  /** Position: when the run came to its step, and by which event. */
  stepped_at: Date;
  stepped_id: string;
  /** The steps up to the next wait are left out. */
  is_passed_by: boolean;
  trigger: Readonly<Record<string, unknown>>;
  facts: Facts;
}

/** Something that a step does; it is done in the transaction that records the move. */
export type Effect =
  | {
    send: {
      template: string;
      sender: string;
      topic: string | null;
      /** RFC 3339. */
      not_after: string;
      on_cap: "skip" | "wait";
    };
  }
  | { update: { attributes?: unknown; profile?: unknown } }
  | { webhook: { destination: string; data: unknown } };

/** Result of a step, for the log. */
export interface Outcome {
  /** Name of the way that the run continued, or "exit". */
  way: string;
  /** The next step; null at the end. */
  to: string | null;
  /** Reason for which the step did nothing. */
  skipped?: string;
  /** Reason for which the run ended here. */
  reason?: EndReason;
  /** The event that the run waited for. */
  event_id?: string;
}

/** A step that the run has taken. */
export interface Move {
  /** Number of the step in the run; with the run, the key of its effect. */
  visit: number;
  step: string;
  kind: string;
  /** Position of the run when it came to the step, as RFC 3339. */
  at: string;
  outcome: Outcome;
  effect?: Effect;
}

/** Decision about a run: the steps it takes, and where it stands after them. */
export interface Turn {
  moves: Move[];
  step: string;
  visit: number;
  stepped_at: string;
  stepped_id: string;
  /** When the run moves on without an event; null if only an event moves it. */
  wake_at: string | null;
  /** When to look at the run again; null for never. */
  due_at: string | null;
  is_passed_by: boolean;
  goal_at: string | null;
  end_reason: EndReason | null;
  exited_at: string | null;
}
