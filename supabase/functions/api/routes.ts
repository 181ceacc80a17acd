import type { ApiRoute } from "./kernel/route.ts";
import { alertRoutes } from "./resources/alerts/mod.ts";
import { alertRuleRoutes } from "./resources/alert_rules/mod.ts";
import { apiKeyRoutes } from "./resources/api_keys/mod.ts";
import { auditLogRoutes } from "./resources/audit_log/mod.ts";
import { campaignRoutes } from "./resources/campaigns/mod.ts";
import { catalogueRoutes } from "./resources/catalogue/mod.ts";
import { customerRoutes } from "./resources/customers/mod.ts";
import { deliveryRoutes } from "./resources/deliveries/mod.ts";
import { destinationRoutes } from "./resources/destinations/mod.ts";
import { exploreRoutes } from "./resources/explore/mod.ts";
import { eventTypeRoutes } from "./resources/event_types/mod.ts";
import { eventRoutes } from "./resources/events/mod.ts";
import { invitationRoutes } from "./resources/invitations/mod.ts";
import { jobRoutes } from "./resources/jobs/mod.ts";
import { journeyRoutes } from "./resources/journeys/mod.ts";
import { memberRoutes } from "./resources/members/mod.ts";
import { messageRoutes } from "./resources/messages/mod.ts";
import { rejectedEntryRoutes } from "./resources/rejected_entries/mod.ts";
import { runRoutes } from "./resources/runs/mod.ts";
import { searchRoutes } from "./resources/search/mod.ts";
import { segmentRoutes } from "./resources/segments/mod.ts";
import { senderRoutes } from "./resources/senders/mod.ts";
import { sendRoutes } from "./resources/sends/mod.ts";
import { sessionRoutes } from "./resources/sessions/mod.ts";
import { sourceRoutes } from "./resources/sources/mod.ts";
import { suppressionRoutes } from "./resources/suppressions/mod.ts";
import { templateRoutes } from "./resources/templates/mod.ts";
import { topicRoutes } from "./resources/topics/mod.ts";
import { usageRoutes } from "./resources/usage/mod.ts";
import { viewRoutes } from "./resources/views/mod.ts";
import { workspaceRoutes } from "./resources/workspaces/mod.ts";

const table = [
  ...workspaceRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...sessionRoutes,
  ...apiKeyRoutes,
  ...customerRoutes,
  ...segmentRoutes,
  ...journeyRoutes,
  ...runRoutes,
  ...campaignRoutes,
  ...eventRoutes,
  ...eventTypeRoutes,
  ...catalogueRoutes,
  ...exploreRoutes,
  ...destinationRoutes,
  ...messageRoutes,
  ...deliveryRoutes,
  ...jobRoutes,
  ...templateRoutes,
  ...senderRoutes,
  ...sendRoutes,
  ...topicRoutes,
  ...suppressionRoutes,
  ...sourceRoutes,
  ...rejectedEntryRoutes,
  ...searchRoutes,
  ...alertRoutes,
  ...alertRuleRoutes,
  ...usageRoutes,
  ...auditLogRoutes,
  ...viewRoutes,
] as const;

/** Every route of the function; other paths return 404. */
export const routes = table as unknown as readonly ApiRoute[];

/** Types of all routes, for the client. */
export type RouteTable = typeof table;
