/** Most steps of a journey. */
export const maxSteps = 200;
/** Largest definition, in bytes of JSON. */
export const maxDefinitionBytes = 128 * 1024;
/** Most ways out of a branch or a split. */
export const maxWays = 20;
/** Most matches of one event. */
export const maxMatches = 5;
/** Longest wait, timeout and window of a goal, in days. */
export const maxWaitDays = 400;
/** Longest distance between two runs of one customer, in days. */
export const maxAgainDays = 3650;
/** Longest delay of a send, in days. */
export const maxDelayDays = 30;
/** Most levels of JSON in a definition: a condition of eight levels in a branch. */
export const maxDefinitionDepth = 30;

export const stepKinds = [
  "send",
  "wait",
  "wait_for",
  "branch",
  "split",
  "update",
  "webhook",
  "exit",
] as const;

export type StepKind = (typeof stepKinds)[number];

export const triggerKinds = ["event", "segment", "date", "api"] as const;

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export const zoneSources = ["customer", "workspace"] as const;
