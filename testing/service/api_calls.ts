import { decodeJwt } from "jose";
import { smallestDefinition } from "../data/journeys.ts";
import { alertCalls } from "./alert_calls.ts";
import type { Entities } from "../access/api_entities.ts";
import { exploreCalls } from "./explore_calls.ts";
import type { ApiWorld } from "./api_world.ts";
import type { SampleCall } from "./sample_call.ts";
import { senderCalls } from "./sender_calls.ts";
import { exportCalls, viewCalls } from "./list_calls.ts";

export { bodyOf, type SampleCall } from "./sample_call.ts";

/** An invitation of the user to another workspace. */
async function inviteUser(world: ApiWorld, token: string): Promise<string> {
  const [row] = await world.sql<{ id: string }[]>`
    insert into public.invitations (workspace_id, email, role)
    select ${await world.createWorkspace()}, u.email, 'viewer'
    from auth.users as u where u.id = ${decodeJwt(token).sub!}
    returning id`;
  return row!.id;
}

const invitation = ({ invitationId }: Entities) => invitationId;
const workspace = ({ workspaceId }: Entities) => workspaceId;
const customer = ({ customerId }: Entities) => customerId;
const destination = ({ destinationId }: Entities) => destinationId;
const delivery = ({ deliveryId }: Entities) => deliveryId;
const message = ({ messageId }: Entities) => messageId;
const source = ({ sourceId }: Entities) => sourceId;
const template = ({ templateId }: Entities) => templateId;
const topic = ({ topicId }: Entities) => topicId;
const segment = ({ segmentId }: Entities) => segmentId;
const journey = ({ journeyId }: Entities) => journeyId;
const run = ({ runId }: Entities) => runId;
const campaign = ({ campaignId }: Entities) => campaignId;
const rejected = ({ rejectedEntryId }: Entities) => rejectedEntryId;

/** One valid call of every route, by operationId. A route without one fails the suites. */
export const sampleApiCalls: Readonly<Record<string, SampleCall>> = {
  listWorkspaces: { path: () => "/workspaces" },
  createWorkspace: { path: () => "/workspaces", body: { name: "Second" } },
  getWorkspace: { entity: workspace, path: (id) => `/workspaces/${id}` },
  updateWorkspace: {
    entity: workspace,
    path: (id) => `/workspaces/${id}`,
    body: { name: "Renamed" },
  },
  deleteWorkspace: { entity: workspace, path: (id) => `/workspaces/${id}` },
  listMembers: { path: () => "/members" },
  inviteMember: { path: () => "/members", body: { email: "new@example.com", role: "member" } },
  mailInvitation: {
    entity: invitation,
    path: (id) => `/members/${id}/mail`,
    body: { dashboard_url: "https://dashboard.example.com" },
  },
  updateMember: {
    entity: ({ memberId }) => memberId,
    path: (id) => `/members/${id}`,
    body: { role: "member" },
  },
  removeMember: { entity: ({ memberId }) => memberId, path: (id) => `/members/${id}` },
  listInvitations: { path: () => "/invitations" },
  listSessions: { path: () => "/sessions" },
  acceptInvitation: {
    entity: invitation,
    makeOwn: inviteUser,
    path: (id) => `/invitations/${id}/accept`,
  },
  declineInvitation: {
    entity: invitation,
    makeOwn: inviteUser,
    path: (id) => `/invitations/${id}/decline`,
  },
  listApiKeys: { path: () => "/api-keys" },
  createApiKey: { path: () => "/api-keys", body: { name: "Web", scopes: ["track:write"] } },
  revokeApiKey: { entity: ({ apiKeyId }) => apiKeyId, path: (id) => `/api-keys/${id}` },
  listCustomers: { path: () => "/customers?q=ada" },
  getCustomer: { entity: customer, path: (id) => `/customers/${id}` },
  updateCustomer: {
    entity: customer,
    path: (id) => `/customers/${id}`,
    body: { first_name: "Augusta", attributes: { tier: null, seats: 3 } },
  },
  deleteCustomer: { entity: customer, path: (id) => `/customers/${id}` },
  listCustomerEvents: { entity: customer, path: (id) => `/customers/${id}/events` },
  listMerges: { entity: customer, path: (id) => `/customers/${id}/merges` },
  listDeviceTokens: { entity: customer, path: (id) => `/customers/${id}/device-tokens` },
  attachDeviceToken: {
    entity: customer,
    path: (id) => `/customers/${id}/device-tokens`,
    body: { token: "token-2", platform: "web" },
  },
  detachDeviceToken: {
    entity: customer,
    path: (id, { deviceToken }) => `/customers/${id}/device-tokens?token=${deviceToken}`,
  },
  listCustomerSegments: { entity: customer, path: (id) => `/customers/${id}/segments` },
  listSegments: { path: () => "/segments?q=f&kind=static" },
  createSegment: {
    path: () => "/segments",
    body: {
      name: "Buyers",
      condition: { event: "order_created", within: "30d", count: { gte: 1 } },
    },
  },
  previewSegment: {
    path: () => "/segments/preview",
    body: { condition: { field: "attributes.tier", op: "eq", value: "gold" } },
  },
  getSegment: { entity: segment, path: (id) => `/segments/${id}` },
  putSegment: {
    entity: segment,
    path: (id) => `/segments/${id}`,
    body: { name: "Best friends", kind: "static", key: "friends" },
  },
  updateSegment: {
    entity: segment,
    path: (id) => `/segments/${id}`,
    body: { name: "Close friends", description: "Invited to the party" },
  },
  deleteSegment: { entity: segment, path: (id) => `/segments/${id}` },
  explainSegment: {
    entity: segment,
    path: (id) => `/segments/${id}/explain`,
    bodyFor: ({ customerId }) => ({ customer_id: customerId }),
  },
  listSegmentCustomers: { entity: segment, path: (id) => `/segments/${id}/customers` },
  addSegmentCustomers: {
    entity: segment,
    path: (id) => `/segments/${id}/customers`,
    body: { external_ids: ["user-1"], emails: ["nobody@example.com"] },
  },
  removeSegmentCustomers: {
    entity: segment,
    path: (id) => `/segments/${id}/customers`,
    body: { external_ids: ["user-1"] },
  },
  exportSegment: { entity: segment, path: (id) => `/segments/${id}/export?format=ndjson` },
  getSegmentHistory: { entity: segment, path: (id) => `/segments/${id}/history?interval=day` },
  exportSegmentChanges: { entity: segment, path: (id) => `/segments/${id}/changes/export` },
  listSegmentChanges: { entity: segment, path: (id) => `/segments/${id}/changes` },
  listCustomerRuns: { entity: customer, path: (id) => `/customers/${id}/runs` },
  listJourneys: { path: () => "/journeys?q=w&state=running" },
  createJourney: {
    path: () => "/journeys",
    body: { name: "Second", definition: smallestDefinition },
  },
  getJourney: { entity: journey, path: (id) => `/journeys/${id}` },
  putJourney: {
    entity: journey,
    path: (id) => `/journeys/${id}`,
    body: { name: "Renamed", key: "renamed", definition: smallestDefinition },
  },
  updateJourney: {
    entity: journey,
    path: (id) => `/journeys/${id}`,
    body: { description: "For new customers" },
  },
  deleteJourney: { entity: ({ draftId }) => draftId, path: (id) => `/journeys/${id}` },
  listJourneyVersions: { entity: journey, path: (id) => `/journeys/${id}/versions` },
  previewPublish: { entity: journey, path: (id) => `/journeys/${id}/publish-preview` },
  publishJourney: { entity: journey, path: (id) => `/journeys/${id}/publish`, body: {} },
  pauseJourney: { entity: journey, path: (id) => `/journeys/${id}/pause` },
  resumeJourney: {
    entity: journey,
    path: (id) => `/journeys/${id}/resume`,
    body: { late: "skip" },
  },
  drainJourney: { entity: journey, path: (id) => `/journeys/${id}/drain` },
  stopJourney: { entity: journey, path: (id) => `/journeys/${id}/stop` },
  simulateJourney: {
    entity: journey,
    path: (id) => `/journeys/${id}/simulate`,
    body: { profile: { country: "DE" }, until: "2027-01-01T00:00:00Z" },
  },
  rehearseJourney: {
    entity: ({ draftId }) => draftId,
    path: (id) => `/journeys/${id}/rehearse`,
    body: { since: new Date(Date.now() - 3_600_000).toISOString() },
  },
  enterJourney: {
    entity: journey,
    path: (id) => `/journeys/${id}/enter`,
    bodyFor: ({ customerId }) => ({ customer_id: customerId, data: { cart_id: "c-2" } }),
  },
  exportRuns: { entity: journey, path: (id) => `/journeys/${id}/runs/export?format=ndjson` },
  listRuns: { entity: journey, path: (id) => `/journeys/${id}/runs?state=active` },
  replayRuns: {
    entity: journey,
    path: (id) => `/journeys/${id}/replay`,
    bodyFor: ({ runId }) => ({ run_ids: [runId], from: "pause" }),
  },
  getJourneyStats: { entity: journey, path: (id) => `/journeys/${id}/stats` },
  getRun: { entity: run, path: (id) => `/runs/${id}` },
  removeRun: { entity: run, path: (id) => `/runs/${id}/remove` },
  listCampaigns: { path: () => "/campaigns?state=scheduled" },
  createCampaign: {
    path: () => "/campaigns",
    body: {
      name: "Spring sale",
      segment: "circle",
      template: "welcome",
      sender: "main",
      send_at: "2099-04-01T09:00",
      zone: "customer",
    },
  },
  getCampaign: { entity: campaign, path: (id) => `/campaigns/${id}` },
  updateCampaign: {
    entity: campaign,
    path: (id) => `/campaigns/${id}`,
    body: { name: "Winter sale", per_minute: 600 },
  },
  deleteCampaign: { entity: campaign, path: (id) => `/campaigns/${id}` },
  scheduleCampaign: {
    entity: campaign,
    path: (id) => `/campaigns/${id}/schedule`,
    body: { send_at: "2099-04-01T09:00:00Z" },
  },
  sendCampaign: { entity: campaign, path: (id) => `/campaigns/${id}/send`, body: {} },
  pauseCampaign: {
    entity: ({ sendingCampaignId }) => sendingCampaignId,
    path: (id) => `/campaigns/${id}/pause`,
  },
  resumeCampaign: {
    entity: ({ pausedCampaignId }) => pausedCampaignId,
    path: (id) => `/campaigns/${id}/resume`,
    body: {},
  },
  cancelCampaign: { entity: campaign, path: (id) => `/campaigns/${id}/cancel` },
  testCampaign: {
    entity: campaign,
    path: (id) => `/campaigns/${id}/test`,
    body: { addresses: ["me@example.com"] },
  },
  reviewCampaign: { entity: campaign, path: (id) => `/campaigns/${id}/review` },
  getCampaignStats: { entity: campaign, path: (id) => `/campaigns/${id}/stats` },
  listEvents: { path: () => "/events?name=order_created" },
  getEvent: { entity: ({ eventId }) => eventId, path: (id) => `/events/${id}` },
  listEventDeliveries: {
    entity: ({ eventId }) => eventId,
    path: (id) => `/events/${id}/deliveries`,
  },
  listEventTypes: { path: () => "/event-types" },
  listDestinations: { path: () => "/destinations" },
  createDestination: {
    path: () => "/destinations",
    body: { name: "Mail", url: "https://example.com/hooks", event_types: ["customer.*"] },
  },
  getDestination: { entity: destination, path: (id) => `/destinations/${id}` },
  getDestinationStats: {
    entity: destination,
    path: (id) => `/destinations/${id}/stats?interval=day`,
  },
  updateDestination: {
    entity: destination,
    path: (id) => `/destinations/${id}`,
    body: { name: "Lake", rate_limit_per_second: 5 },
  },
  deleteDestination: { entity: destination, path: (id) => `/destinations/${id}` },
  testDestination: {
    entity: destination,
    path: (id) => `/destinations/${id}/test`,
    body: { event_type: "order_created", payload: { properties: { total: 12.5 } } },
  },
  rotateSecret: {
    entity: destination,
    path: (id) => `/destinations/${id}/rotate-secret`,
    body: { overlap_seconds: 60 },
  },
  replayFailed: {
    entity: destination,
    path: (id) => `/destinations/${id}/replay`,
    body: { since: "2026-01-01T00:00:00Z" },
  },
  previewReplay: {
    entity: destination,
    path: (id) => `/destinations/${id}/replay-preview`,
    body: { since: "2026-01-01T00:00:00Z" },
  },
  recoverMissed: { entity: destination, path: (id) => `/destinations/${id}/recover`, body: {} },
  discardMissed: {
    entity: destination,
    path: (id) => `/destinations/${id}/discard`,
  },
  listMessages: { path: () => "/messages?state=waiting" },
  getMessage: { entity: message, path: (id) => `/messages/${id}` },
  tryMessageNow: { entity: message, path: (id) => `/messages/${id}/try-now`, body: {} },
  cancelMessage: { entity: message, path: (id) => `/messages/${id}/cancel`, body: {} },
  listDeliveries: { path: () => "/deliveries?ok=false" },
  getDelivery: { entity: delivery, path: (id) => `/deliveries/${id}` },
  replayDelivery: { entity: delivery, path: (id) => `/deliveries/${id}/replay` },
  getJob: { entity: ({ jobId }) => jobId, path: (id) => `/jobs/${id}` },
  listTemplates: { path: () => "/templates" },
  createTemplate: {
    path: () => "/templates",
    body: { name: "Receipt", subject: "Order {{ trigger.order }}", html: "<p>Thank you</p>" },
  },
  getTemplate: { entity: template, path: (id) => `/templates/${id}` },
  putTemplate: {
    path: () => "/templates/welcome",
    body: { name: "Welcome", subject: "Welcome", text: "Hello {{ customer.first_name }}" },
  },
  updateTemplate: { entity: template, path: (id) => `/templates/${id}`, body: { subject: "Hi" } },
  deleteTemplate: { entity: template, path: (id) => `/templates/${id}` },
  listTemplateVersions: { entity: template, path: (id) => `/templates/${id}/versions` },
  previewTemplate: {
    entity: template,
    path: (id) => `/templates/${id}/preview`,
    body: { data: { order: 7 } },
  },
  ...senderCalls,
  ...viewCalls,
  ...exportCalls,
  ...exploreCalls,
  listTopics: { path: () => "/topics" },
  createTopic: {
    path: () => "/topics",
    get body() {
      return { key: `offers-${crypto.randomUUID()}`, name: "Offers", default: "subscribed" };
    },
  },
  getTopic: { entity: topic, path: (id) => `/topics/${id}` },
  putTopic: {
    path: () => "/topics/newsletter",
    body: { name: "Newsletter", default: "subscribed" },
  },
  updateTopic: { entity: topic, path: (id) => `/topics/${id}`, body: { name: "Weekly" } },
  deleteTopic: { entity: topic, path: (id) => `/topics/${id}` },
  listCustomerTopics: { entity: customer, path: (id) => `/customers/${id}/topics` },
  setCustomerTopic: {
    entity: customer,
    path: (id) => `/customers/${id}/topics`,
    body: { topic: "newsletter", subscribed: false },
  },
  listSuppressions: { path: () => "/suppressions" },
  createSuppression: { path: () => "/suppressions", body: { email: "x@example.com" } },
  deleteSuppression: {
    entity: ({ suppressionId }) => suppressionId,
    path: (id) => `/suppressions/${id}`,
  },
  importSuppressions: { path: () => "/suppressions/import", body: { csv: "email\nx@example.com" } },
  listSources: { path: () => "/sources" },
  createSource: { path: () => "/sources", body: { name: "Payments", scheme: "stripe" } },
  getSource: { entity: source, path: (id) => `/sources/${id}` },
  updateSource: {
    entity: source,
    path: (id) => `/sources/${id}`,
    body: { name: "Old shop", enabled: false },
  },
  deleteSource: { entity: source, path: (id) => `/sources/${id}` },
  rotateSourceSecret: {
    entity: source,
    path: (id) => `/sources/${id}/rotate-secret`,
    body: { overlap_seconds: 0 },
  },
  testMapping: {
    entity: source,
    path: (id) => `/sources/${id}/test`,
    body: { payload: '{"type": "order_created", "user": "user-1"}' },
  },
  exportReceipts: { entity: source, path: (id) => `/sources/${id}/receipts/export` },
  listReceipts: { entity: source, path: (id) => `/sources/${id}/receipts` },
  getReceipt: {
    entity: ({ receiptId }) => receiptId,
    path: (id, { sourceId }) => `/sources/${sourceId}/receipts/${id}`,
  },
  listRejectedEntries: { path: () => "/rejected-entries" },
  listRejectionReasons: { path: () => "/rejected-entries/reasons" },
  getRejectedEntry: { entity: rejected, path: (id) => `/rejected-entries/${id}` },
  resendRejectedEntry: {
    entity: rejected,
    path: (id) => `/rejected-entries/${id}/resend`,
    body: {},
  },
  discardRejectedEntry: { entity: rejected, path: (id) => `/rejected-entries/${id}/discard` },
  discardRejectedEntries: {
    path: () => "/rejected-entries/discard",
    body: {
      reason: "was refused",
      code: "invalid_input",
      origin: "track",
      field: null,
      source_id: null,
      until: "2099-01-01T00:00:00Z",
    },
  },
  ...alertCalls,
  getUsage: { path: () => "/usage?interval=day" },
  listAuditLog: { path: () => "/audit-log" },
  getAuditEntry: {
    entity: ({ auditEntryId }) => auditEntryId,
    path: (id) => `/audit-log/${id}`,
  },
};
