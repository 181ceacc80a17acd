import "./without_eval.ts";

/** The api's own types and checks of a journey's definition. */
export type * from "../../../supabase/functions/api/contract/journeys/graph.ts";
export { listWays } from "../../../supabase/functions/api/contract/journeys/graph.ts";
export { checkGraph } from "../../../supabase/functions/api/contract/journeys/check_graph.ts";
export { readDefinition } from "../../../supabase/functions/api/contract/journeys/read_definition.ts";
export { isStepId } from "../../../supabase/functions/api/contract/journeys/read_parts.ts";
export {
  listReferences,
  type Referent,
  resolveReferences,
} from "../../../supabase/functions/api/contract/journeys/references.ts";
export {
  maxWays,
  type StepKind,
  stepKinds,
  weekdays,
} from "../../../supabase/functions/api/contract/journeys/rules.ts";
