import "./without_eval.ts";

/** The api's own rules for conditions. */
export { readCondition } from "../../../supabase/functions/api/contract/conditions/read_condition.ts";
export type { ReadOptions } from "../../../supabase/functions/api/contract/conditions/reader.ts";
