import type { ApiRoute } from "./route.ts";
import { createApiKey } from "./routes/api_keys/create_api_key.ts";
import { listApiKeys } from "./routes/api_keys/list_api_keys.ts";
import { revokeApiKey } from "./routes/api_keys/revoke_api_key.ts";
import { listAuditLog } from "./routes/audit_log/list_audit_log.ts";
import { attachDeviceToken } from "./routes/customers/attach_device_token.ts";
import { deleteCustomer } from "./routes/customers/delete_customer.ts";
import { detachDeviceToken } from "./routes/customers/detach_device_token.ts";
import { getCustomer } from "./routes/customers/get_customer.ts";
import { listCustomerEvents } from "./routes/customers/list_customer_events.ts";
import { listCustomers } from "./routes/customers/list_customers.ts";
import { listDeviceTokens } from "./routes/customers/list_device_tokens.ts";
import { listMerges } from "./routes/customers/list_merges.ts";
import { updateCustomer } from "./routes/customers/update_customer.ts";
import { getDelivery } from "./routes/deliveries/get_delivery.ts";
import { listDeliveries } from "./routes/deliveries/list_deliveries.ts";
import { replayDelivery } from "./routes/deliveries/replay_delivery.ts";
import { createDestination } from "./routes/destinations/create_destination.ts";
import { deleteDestination } from "./routes/destinations/delete_destination.ts";
import { getDestination } from "./routes/destinations/get_destination.ts";
import { getDestinationStats } from "./routes/destinations/get_destination_stats.ts";
import { listDestinations } from "./routes/destinations/list_destinations.ts";
import { recoverMissed } from "./routes/destinations/recover_missed.ts";
import { replayFailed } from "./routes/destinations/replay_failed.ts";
import { rotateSecret } from "./routes/destinations/rotate_secret.ts";
import { testDestination } from "./routes/destinations/test_destination.ts";
import { updateDestination } from "./routes/destinations/update_destination.ts";
import { listEventTypes } from "./routes/event_types/list_event_types.ts";
import { getEvent } from "./routes/events/get_event.ts";
import { listEventDeliveries } from "./routes/events/list_event_deliveries.ts";
import { listEvents } from "./routes/events/list_events.ts";
import { acceptInvitation } from "./routes/invitations/accept_invitation.ts";
import { declineInvitation } from "./routes/invitations/decline_invitation.ts";
import { listInvitations } from "./routes/invitations/list_invitations.ts";
import { getJob } from "./routes/jobs/get_job.ts";
import { inviteMember } from "./routes/members/invite_member.ts";
import { listMembers } from "./routes/members/list_members.ts";
import { removeMember } from "./routes/members/remove_member.ts";
import { updateMember } from "./routes/members/update_member.ts";
import { getRejectedEntry } from "./routes/rejected_entries/get_rejected_entry.ts";
import { listRejectedEntries } from "./routes/rejected_entries/list_rejected_entries.ts";
import { resendRejectedEntry } from "./routes/rejected_entries/resend_rejected_entry.ts";
import { createSource } from "./routes/sources/create_source.ts";
import { deleteSource } from "./routes/sources/delete_source.ts";
import { getReceipt } from "./routes/sources/get_receipt.ts";
import { getSource } from "./routes/sources/get_source.ts";
import { listReceipts } from "./routes/sources/list_receipts.ts";
import { listSources } from "./routes/sources/list_sources.ts";
import { rotateSourceSecret } from "./routes/sources/rotate_source_secret.ts";
import { testMapping } from "./routes/sources/test_mapping.ts";
import { updateSource } from "./routes/sources/update_source.ts";
import { getUsage } from "./routes/usage/get_usage.ts";
import { createWorkspace } from "./routes/workspaces/create_workspace.ts";
import { deleteWorkspace } from "./routes/workspaces/delete_workspace.ts";
import { getWorkspace } from "./routes/workspaces/get_workspace.ts";
import { listWorkspaces } from "./routes/workspaces/list_workspaces.ts";
import { updateWorkspace } from "./routes/workspaces/update_workspace.ts";

const table = [
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
  inviteMember,
  listMembers,
  removeMember,
  updateMember,
  acceptInvitation,
  declineInvitation,
  listInvitations,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  attachDeviceToken,
  deleteCustomer,
  detachDeviceToken,
  getCustomer,
  listCustomerEvents,
  listCustomers,
  listDeviceTokens,
  listMerges,
  updateCustomer,
  getEvent,
  listEventDeliveries,
  listEvents,
  listEventTypes,
  createDestination,
  deleteDestination,
  getDestination,
  getDestinationStats,
  listDestinations,
  recoverMissed,
  replayFailed,
  rotateSecret,
  testDestination,
  updateDestination,
  getDelivery,
  listDeliveries,
  replayDelivery,
  getJob,
  createSource,
  deleteSource,
  getSource,
  listSources,
  rotateSourceSecret,
  testMapping,
  updateSource,
  getReceipt,
  listReceipts,
  getRejectedEntry,
  listRejectedEntries,
  resendRejectedEntry,
  getUsage,
  listAuditLog,
] as const;

/** Every route of the function. What is not here does not exist. */
export const routes = table as unknown as readonly ApiRoute[];

/** The types of all routes, for the client. */
export type RouteTable = typeof table;
