import type postgres from "postgres";
import type { TestDatabase } from "../postgres/database.ts";

/** A node of a plan as `explain (analyze, buffers, format json)` writes it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Total Cost": number;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

/** A statement that ran, and how. */
export interface Explained {
  "Query Text": string;
  Plan: PlanNode;
}

/** Kind of plan: for the given values, or one for all values. */
export type PlanMode = "force_custom_plan" | "force_generic_plan" | "auto";

const settings = {
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  "auto_explain.log_parameter_max_length": "0",
};

/**
 * Makes every statement of connections made from now on report its plan in a notice, in any
 * role and inside of any function. Without `nested`, only those that a client sent:
 * their pages include those of the functions that they call.
 *
 * @throws Error where the server has no auto_explain, for then no plan would be checked.
 */
export async function explainStatements(
  { sql }: TestDatabase,
  mode: PlanMode,
  { nested = true }: { nested?: boolean } = {},
): Promise<void> {
  try {
    await sql`load 'auto_explain'`;
  } catch (error) {
    throw new Error(`Cannot look at plans: this Postgres has no "auto_explain"`, { cause: error });
  }
  const all = {
    ...settings,
    "auto_explain.log_nested_statements": nested ? "on" : "off",
    session_preload_libraries: "auto_explain",
    plan_cache_mode: mode,
  };
  for (const [name, value] of Object.entries(all)) {
    const [row] = await sql`
      select format('alter database %I set %s = %L', current_database(), ${name}::text, ${value}::text) as text`;
    await sql.unsafe(row!.text);
  }
}

/** The statement whose plan a notice reports; none for any other notice. */
export function readNotice({ message = "" }: postgres.Notice): Explained[] {
  const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? [];
  return json === undefined ? [] : [JSON.parse(json)];
}
