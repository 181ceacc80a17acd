import type { CallerSql } from "../../kernel/caller.ts";

/** The parts of a journey's trigger that apply to a customer. */
export type TriggerFacts =
  /** `at`: of the first such event since the publication. */
  | { event: string; at: string | null }
  /** `segment`: its name. */
  | { segment: string; on: "enter" | "leave"; is_member: boolean }
  /** `at`: when the customer enters next. */
  | { date: string; at: string | null }
  | { api: true };

/** A run of a customer in a journey. */
export interface RunFacts {
  id: string;
  version: number;
  state: "active" | "ended";
  reason: string | null;
  step: string;
  entered_at: string;
  exited_at: string | null;
  wake_at: string | null;
  skipped: { step: string; reason: string; at: string }[];
}

/** Facts that decide about a customer in a journey. */
export interface JourneyFacts {
  state: "draft" | "running" | "paused" | "draining" | "stopped";
  /** Null before the first publication. */
  trigger: TriggerFacts | null;
  /** Null without a condition of entry. */
  is_met: boolean | null;
  /** Ids of the topics of its sends. */
  topics: string[];
  /** Newest first. */
  runs: RunFacts[];
}

/** Returns what decides about a customer in a journey; null if the journey does not exist. */
export async function readJourneyFacts(
  tx: CallerSql,
  { workspaceId, journeyId, customerId }: {
    workspaceId: string;
    journeyId: string;
    customerId: string;
  },
): Promise<JourneyFacts | null> {
  const rows = await tx<{ facts: JourneyFacts | null }[]>`
    select private.explain_journey(${workspaceId}, ${journeyId}, ${customerId}) as facts
  `;
  return rows[0]!.facts;
}
