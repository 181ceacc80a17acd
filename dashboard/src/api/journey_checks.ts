import "./without_eval.ts";

/** The api's own checks of a journey's definition, which load the api's schemas. */
export { checkGraph } from "../../../supabase/functions/api/contract/journeys/check_graph.ts";
export { readDefinition } from "../../../supabase/functions/api/contract/journeys/read_definition.ts";
export { isStepId } from "../../../supabase/functions/api/contract/journeys/read_parts.ts";
