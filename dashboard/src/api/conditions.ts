import "./without_eval.ts";

/** The api's own rules for conditions, for the builder. */
export { readCondition } from "../../../supabase/functions/api/contract/conditions/read_condition.ts";
export type { ReadOptions } from "../../../supabase/functions/api/contract/conditions/reader.ts";
export {
  countBounds,
  customerFields,
  figureBounds,
  figures,
  journeyStates,
  maxTests,
  operatorsOf,
  propertyOperators,
  valueForms,
} from "../../../supabase/functions/api/contract/conditions/rules.ts";
export type {
  FieldType,
  ValueForm,
} from "../../../supabase/functions/api/contract/conditions/rules.ts";
export type {
  Condition,
  Operator,
} from "../../../supabase/functions/api/contract/conditions/types.ts";
