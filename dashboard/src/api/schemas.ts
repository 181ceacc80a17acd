import "./without_eval.ts";

/** The very schemas that the api checks requests with, for forms. */
export { newApiKey } from "../../../supabase/functions/api/routes/api_keys/schema.ts";
export { customerEdit } from "../../../supabase/functions/api/routes/customers/schema.ts";
export {
  destinationEdit,
  newDestination,
} from "../../../supabase/functions/api/routes/destinations/schema.ts";
export { newMember } from "../../../supabase/functions/api/routes/members/schema.ts";
export { workspaceFields } from "../../../supabase/functions/api/routes/workspaces/schema.ts";
export { newSource, sourceEdit } from "../../../supabase/functions/api/routes/sources/schema.ts";
