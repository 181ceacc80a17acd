import "./without_eval.ts";

/** The api's own schemas of requests, for forms. */
export { alertKinds, newAlertRule } from "../../../supabase/functions/api/contract/alerts.ts";
export { newApiKey } from "../../../supabase/functions/api/contract/api_keys.ts";
export { eventDefinitionEdit } from "../../../supabase/functions/api/contract/catalogue.ts";
export { customerEdit } from "../../../supabase/functions/api/contract/customers.ts";
export {
  destinationEdit,
  newDestination,
} from "../../../supabase/functions/api/contract/destinations.ts";
export { journeyEdit, newJourney } from "../../../supabase/functions/api/contract/journeys.ts";
export { newMember } from "../../../supabase/functions/api/contract/members.ts";
export {
  workspaceEdit,
  workspaceFields,
} from "../../../supabase/functions/api/contract/workspaces.ts";
export { newSource, sourceEdit } from "../../../supabase/functions/api/contract/sources.ts";
export { newSegment, segmentEdit } from "../../../supabase/functions/api/contract/segments.ts";
export { newCampaign } from "../../../supabase/functions/api/contract/campaigns.ts";
export { newSender } from "../../../supabase/functions/api/contract/senders.ts";
export { newSuppression } from "../../../supabase/functions/api/contract/suppressions.ts";
export { newTemplate } from "../../../supabase/functions/api/contract/templates.ts";
export { newTopic } from "../../../supabase/functions/api/contract/topics.ts";
