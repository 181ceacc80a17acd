/** The types of a definition and the ways between its steps, for clients that draw or edit one. */
export type {
  BranchStep,
  DateRule,
  Definition,
  Entry,
  EventFilter,
  Goal,
  Match,
  MatchedEvents,
  SendStep,
  SplitStep,
  Step,
  StoredTest,
  TimeOfDayRule,
  Trigger,
  UpdateStep,
  WaitForStep,
  WaitStep,
  WebhookStep,
} from "../../../_shared/journeys/definition.ts";
export { listWays, type Way } from "../../../_shared/journeys/ways.ts";
