/** Fields, operators and limits of conditions, for the builder. */
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
