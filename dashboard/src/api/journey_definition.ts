/** The api's own types of a journey's definition, and what it knows of them without its schemas. */
export type * from "../../../supabase/functions/api/contract/journeys/graph.ts";
export { listWays } from "../../../supabase/functions/api/contract/journeys/graph.ts";
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
