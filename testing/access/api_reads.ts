import { numberedId } from "../data/large_alerts.ts";
import type { LargeWorkspace } from "../data/large_workspace.ts";
import { ago, type ApiRead, pick, type Reads } from "./api_read.ts";
import { listMessageReads } from "./message_reads.ts";
import { listSendReads } from "./send_reads.ts";
import { listSortedReads } from "./sorted_reads.ts";

/** Lists every read of the api, with each filter that leads to another plan. */
export function listApiReads(large: LargeWorkspace): ApiRead[] {
  const reads: Reads = {
    ...listCustomerReads(large),
    ...listEventReads(large),
    ...listDestinationReads(large),
    ...listMessageReads(large),
    ...listSourceReads(large),
    ...listSegmentReads(large),
    ...listJourneyReads(large),
    ...listCampaignReads(),
    ...alertReads,
    ...listSearches(large),
    ...listConsentReads(large),
    ...listSendReads(large),
    ...listWorkspaceReads(large),
  };
  const usual = Object.entries(reads).flatMap(([operationId, calls]) =>
    calls.map(([title, path]) => ({ operationId, title, path }))
  );
  return [...usual, ...listSortedReads(large)];
}

/** The 100 rules and 2,000 alerts have ids by their number. */
const alertReads: Reads = {
  listAlerts: [
    ["newest", () => "/alerts"],
    ["open", () => "/alerts?state=open"],
    ["resolved", () => "/alerts?state=resolved"],
    ["of a rule", (n) => `/alerts?rule_id=${numberedId(1 + n % 100)}`],
    ["open of a rule", (n) => `/alerts?state=open&rule_id=${numberedId(1 + n % 100)}`],
  ],
  exportAlerts: [["of a rule", (n) => `/alerts/export?rule_id=${numberedId(1 + n % 100)}`]],
  getAlert: [["", (n) => `/alerts/${numberedId(1 + n % 2000)}`]],
  listAlertRules: [["", () => "/alert-rules"]],
  getAlertRule: [["", (n) => `/alert-rules/${numberedId(1 + n % 100)}`]],
};

function listSearches(large: LargeWorkspace): Reads {
  return {
    search: [
      ["customer", (n) => `/search?q=${pick(large.customerIds, n)}`],
      ["event", (n) => `/search?q=${pick(large.eventIds, n)}`],
      ["message", (n) => `/search?q=${pick(large.messageIds, n)}`],
      ["delivery", (n) => `/search?q=${pick(large.deliveryIds, n)}`],
      ["send", (n) => `/search?q=${pick(large.sendIds, n)}`],
      ["run", (n) => `/search?q=${pick(large.runIds, n)}`],
      ["refused entry", (n) => `/search?q=${pick(large.rejectedEntryIds, n)}`],
      ["request to a source", (n) => `/search?q=${large.receipts[n % large.receipts.length]?.id}`],
      ["destination", (n) => `/search?q=${pick(large.destinationIds, n)}`],
      ["unknown id", () => `/search?q=${crypto.randomUUID()}`],
      ["start of an address", (n) => `/search?q=ada.lovelace${1 + n % 90}`],
      ["start of many names", () => "/search?q=a"],
      ["start of an event's name", () => "/search?q=event_1"],
      ["nothing", (n) => `/search?q=zzz${n}`],
    ],
  };
}

function listCustomerReads(large: LargeWorkspace): Reads {
  const { busiestId, customerIds } = large;
  const customer = (n: number) => `/customers/${pick(customerIds, n)}`;
  const last = ["Lovelace", "Hopper", "Torvalds", "Liskov", "Thompson", "Perlman"];
  return {
    listCustomers: [
      ["newest", () => "/customers"],
      ["200 rows", () => "/customers?limit=200"],
      ["q: start of a common name", () => "/customers?q=a"],
      ["q: start of an address", (n) => `/customers?q=ada.lovelace${1 + n % 90}`],
      ["q: whole name", (n) => `/customers?q=Grace%20Liskov${n % 1000}`],
      ["q: last name", (n) => `/customers?q=${last[n % 6]}${n % 1000}`],
      ["q: nothing", (n) => `/customers?q=zzz${n}`],
      ["q: id", (n) => `/customers?q=user-${n + 1}`],
      ["email", (n) => `/customers?email=ada.lovelace${n * 24}@example.com`],
      ["external_id", (n) => `/customers?external_id=user-${n + 1}`],
      ["anon_id", (n) => `/customers?anon_id=browser-${2 * n}`],
    ],
    exportCustomers: [["the start of an address", () => "/customers/export?q=ada.lovelace1@"]],
    getCustomer: [["", customer]],
    listCustomerEvents: [
      ["", (n) => `${customer(n)}/events`],
      ["1 % of all events", () => `/customers/${busiestId}/events`],
      ["1 %, a rare name", () => `/customers/${busiestId}/events?name=account_frozen`],
    ],
    listMerges: [
      ["", (n) => `${customer(n)}/merges`],
      ["hundreds", () => `/customers/${busiestId}/merges`],
    ],
    listCustomerSegments: [["", (n) => `${customer(n)}/segments`]],
    listCustomerRuns: [["", (n) => `${customer(n)}/runs`]],
    listCustomerTopics: [["", (n) => `${customer(n)}/topics`]],
    listDeviceTokens: [
      ["", (n) => `${customer(n)}/device-tokens`],
      ["hundreds", () => `/customers/${busiestId}/device-tokens`],
    ],
  };
}

function listEventReads(large: LargeWorkspace): Reads {
  const { busiestId, customerIds, eventIds } = large;
  return {
    listEvents: [
      ["newest", () => "/events"],
      ["200 rows", () => "/events?limit=200"],
      ["of the workspace", () => "/events?service=false"],
      ["common name", () => "/events?name=event_1"],
      ["rare name", () => "/events?name=account_frozen"],
      ["unknown name", (n) => `/events?name=nothing_${n}`],
      ["a day long ago", (n) => `/events?since=${ago(1000 + n)}&until=${ago(976 + n)}`],
      ["rare name in a range", (n) => `/events?name=account_frozen&until=${ago(700 + n)}`],
      ["customer", (n) => `/events?customer_id=${pick(customerIds, n)}`],
      [
        "customer with 1 %, a rare name",
        () => `/events?customer_id=${busiestId}&name=account_frozen`,
      ],
    ],
    exportEvents: [["an hour", () => `/events/export?since=${ago(900)}&until=${ago(899)}`]],
    getEvent: [["", (n) => `/events/${pick(eventIds, n)}`]],
    listEventDeliveries: [
      ["of none", (n) => `/events/${pick(eventIds, n)}/deliveries`],
      ["", (n) => `/events/${pick(large.sentEventIds, n)}/deliveries`],
    ],
    listEventTypes: [["", () => "/event-types"]],
    listCatalogue: [
      ["", () => "/catalogue"],
      ["200 rows", () => "/catalogue?limit=200"],
      ["part of a name", (n) => `/catalogue?q=event_${n}`],
      ["without a decision", () => "/catalogue?status=none"],
      ["of the service", () => "/catalogue?service=true"],
      ["of the workspace", () => "/catalogue?service=false"],
      ["by name", () => "/catalogue?sort=name"],
      ["by volume", () => "/catalogue?sort=volume"],
      ["by last event", () => "/catalogue?sort=last_seen"],
    ],
    getCataloguedEvent: [
      ["common name", () => "/catalogue/event_1"],
      ["rare name", (n) => `/catalogue/seldom_${1 + n % 900}`],
    ],
  };
}

function listDestinationReads(large: LargeWorkspace): Reads {
  const { deliveryIds, destinationIds } = large;
  const destination = (n: number) => pick(destinationIds, n);
  return {
    listDestinations: [
      ["", () => "/destinations"],
      ["failing", () => "/destinations?health=failing"],
      ["q", (n) => `/destinations?q=d${n}`],
    ],
    getDestination: [["", (n) => `/destinations/${destination(n)}`]],
    getDestinationStats: [
      ["a month by hours", (n) => `/destinations/${destination(n)}/stats?since=${ago(740)}`],
      [
        "400 days by days",
        (n) => `/destinations/${destination(n)}/stats?interval=day&since=${ago(9599)}`,
      ],
    ],
    listDeliveries: [
      ["newest", () => "/deliveries"],
      ["failed", () => "/deliveries?ok=false"],
      ["of a destination", (n) => `/deliveries?destination_id=${destination(n)}`],
      ["failed of one", (n) => `/deliveries?destination_id=${destination(n)}&ok=false`],
      ["of a type", () => "/deliveries?event_type=event_2"],
      ["of a rare type", () => "/deliveries?event_type=account_frozen"],
      ["rare type, failed", () => "/deliveries?event_type=account_frozen&ok=false"],
      [
        "rare type of one",
        (n) => `/deliveries?event_type=account_frozen&destination_id=${destination(n)}`,
      ],
      ["unknown destination", () => `/deliveries?destination_id=${crypto.randomUUID()}`],
      ["a day long ago", (n) => `/deliveries?since=${ago(400 + n)}&until=${ago(376 + n)}`],
    ],
    exportDeliveries: [["an hour", () => `/deliveries/export?since=${ago(400)}&until=${ago(399)}`]],
    getDelivery: [["", (n) => `/deliveries/${pick(deliveryIds, n)}`]],
  };
}

function listSegmentReads(large: LargeWorkspace): Reads {
  const segment = (n: number) => `/segments/${pick(large.segmentIds, n)}`;
  return {
    listSegments: [["", () => "/segments"], ["q", () => "/segments?q=segment&kind=static"]],
    getSegment: [["by id", segment], ["by key", (n) => `/segments/segment-${1 + n % 100}`]],
    listSegmentCustomers: [
      ["", (n) => `${segment(n)}/customers`],
      ["of everybody", () => "/segments/segment-1/customers?limit=200"],
    ],
    exportSegment: [["first page", (n) => `${segment(n)}/export`]],
    getSegmentHistory: [
      ["a month by hours", (n) => `${segment(n)}/history?since=${ago(740)}`],
      ["400 days by days", (n) => `${segment(n)}/history?interval=day&since=${ago(9599)}`],
    ],
    exportSegmentChanges: [["first page", (n) => `${segment(n)}/changes/export`]],
    listSegmentChanges: [["", (n) => `${segment(n)}/changes`]],
  };
}

function listJourneyReads(large: LargeWorkspace): Reads {
  const journey = (n: number) => `/journeys/${pick(large.journeyIds, n)}`;
  return {
    listJourneys: [["", () => "/journeys"], ["q", () => "/journeys?q=journey&state=running"]],
    getJourney: [["by id", journey], ["by key", (n) => `/journeys/journey-${1 + n % 100}`]],
    listJourneyVersions: [["", (n) => `${journey(n)}/versions`]],
    previewPublish: [["", (n) => `${journey(n)}/publish-preview`]],
    listRuns: [
      ["", (n) => `${journey(n)}/runs`],
      ["of a busy journey", () => "/journeys/journey-1/runs?limit=200"],
      ["active of a busy journey", () => "/journeys/journey-1/runs?state=active"],
      ["ended of a busy journey", () => "/journeys/journey-1/runs?state=ended"],
      ["stuck of a busy journey", () => "/journeys/journey-1/runs?stuck=true"],
    ],
    exportRuns: [["", (n) => `${journey(n)}/runs/export`]],
    getJourneyStats: [
      ["", (n) => `${journey(n)}/stats`],
      ["of a version", (n) => `${journey(n)}/stats?version=1`],
    ],
    getRun: [["", (n) => `/runs/${pick(large.runIds, n)}`]],
  };
}

function listCampaignReads(): Reads {
  const campaign = (n: number) => `/campaigns/campaign-${1 + n % 300}`;
  return {
    listCampaigns: [
      ["", () => "/campaigns?limit=200"],
      ["by state", () => "/campaigns?state=completed"],
    ],
    getCampaign: [["", campaign]],
    getCampaignStats: [["", (n) => `${campaign(n)}/stats`]],
  };
}

function listSourceReads(large: LargeWorkspace): Reads {
  const { sourceIds } = large;
  const receipt = (n: number) => {
    const { id, source_id } = large.receipts[n % large.receipts.length] ?? {};
    return `/sources/${source_id}/receipts/${id}`;
  };
  return {
    listSources: [["", () => "/sources"]],
    getSource: [["", (n) => `/sources/${pick(sourceIds, n)}`]],
    listReceipts: [
      ["newest", (n) => `/sources/${pick(sourceIds, n)}/receipts`],
      ["of the busiest", () => `/sources/${sourceIds[0]}/receipts`],
      ["rejected", () => `/sources/${sourceIds[0]}/receipts?outcome=rejected`],
      ["of no such outcome", () => `/sources/${sourceIds[0]}/receipts?outcome=handshake`],
      [
        "a day long ago",
        (n) => `/sources/${sourceIds[0]}/receipts?since=${ago(400 + n)}&until=${ago(376 + n)}`,
      ],
    ],
    exportReceipts: [
      [
        "an hour",
        () => `/sources/${sourceIds[0]}/receipts/export?since=${ago(401)}&until=${ago(400)}`,
      ],
    ],
    getReceipt: [["", (n) => receipt(n)]],
    listRejectedEntries: [
      ["newest", () => "/rejected-entries"],
      ["of a common origin", () => "/rejected-entries?origin=track"],
      ["of a rare origin", () => "/rejected-entries?origin=segment"],
      ["of a common code", () => "/rejected-entries?code=invalid_input"],
      ["of a rare code", () => "/rejected-entries?code=not_found"],
      ["of no such code", () => "/rejected-entries?code=internal_error"],
      ["of a common field", () => "/rejected-entries?field=name"],
      ["of a rare field", () => "/rejected-entries?field=external_id"],
      ["of no such field", (n) => `/rejected-entries?field=field${n}`],
      ["of a source", (n) => `/rejected-entries?source_id=${pick(sourceIds, n)}`],
      ["of a reason", () => "/rejected-entries?field=name&reason=Invalid%20input"],
      ["not sent again", () => "/rejected-entries?resent=false"],
      ["sent again", () => "/rejected-entries?resent=true"],
      ["discarded", () => "/rejected-entries?discarded=true"],
      ["neither", () => "/rejected-entries?resent=false&discarded=false"],
      ["a day long ago", () => `/rejected-entries?since=${ago(120)}&until=${ago(96)}`],
    ],
    exportRejectedEntries: [
      ["an hour", () => `/rejected-entries/export?since=${ago(120)}&until=${ago(119)}`],
    ],
    listRejectionReasons: [
      ["newest", () => "/rejected-entries/reasons?newest=400"],
      [
        "of a source",
        (n) => `/rejected-entries/reasons?newest=400&source_id=${pick(sourceIds, n)}`,
      ],
      ["a day", () => `/rejected-entries/reasons?newest=50&since=${ago(120)}&until=${ago(96)}`],
    ],
    getRejectedEntry: [["", (n) => `/rejected-entries/${pick(large.rejectedEntryIds, n)}`]],
  };
}

function listConsentReads(large: LargeWorkspace): Reads {
  return {
    listTemplates: [["", () => "/templates"]],
    getTemplate: [
      ["by id", (n) => `/templates/${pick(large.templateIds, n)}`],
      ["by key", (n) => `/templates/template-${1 + n % 50}`],
    ],
    listTemplateVersions: [["", (n) => `/templates/${pick(large.templateIds, n)}/versions`]],
    listTopics: [["", () => "/topics"]],
    getTopic: [
      ["by id", (n) => `/topics/${pick(large.topicIds, n)}`],
      ["by key", (n) => `/topics/topic-${1 + n % 50}`],
    ],
    listSuppressions: [
      ["newest", () => "/suppressions"],
      ["of an address", (n) => `/suppressions?email=suppressed${n + 1}@example.com`],
      ["of none", (n) => `/suppressions?email=nobody${n}@example.com`],
      ["of a common reason", () => "/suppressions?reason=import"],
      ["of a rare reason", () => "/suppressions?reason=complaint"],
      ["of no such reason", () => "/suppressions?reason=soft_bounces"],
    ],
    exportSuppressions: [
      ["", () => "/suppressions/export"],
      ["of a rare reason", () => "/suppressions/export?reason=complaint"],
    ],
  };
}

function listWorkspaceReads(large: LargeWorkspace): Reads {
  return {
    getUsage: [
      ["a day by hours", () => "/usage"],
      ["a month by hours", () => `/usage?interval=hour&since=${ago(740)}`],
      ["90 days by days", () => `/usage?interval=day&since=${ago(2160)}`],
    ],
    getJob: [
      ["about messages", (n) => `/jobs/${pick(large.jobIds, n)}`],
      ["of a rehearsal", (n) => `/jobs/${pick(large.rehearsalIds, n)}`],
    ],
    listAuditLog: [
      ["newest", () => "/audit-log"],
      ["of an action", () => "/audit-log?action=customer.update"],
      ["of a rare action", () => "/audit-log?action=api_key.create"],
      ["of an actor", () => `/audit-log?actor_id=${large.actorId}`],
      [
        "of an actor's rare action",
        () => `/audit-log?actor_id=${large.actorId}&action=api_key.create`,
      ],
      ["of an entity", () => `/audit-log?entity_id=${crypto.randomUUID()}`],
      ["a day long ago", (n) => `/audit-log?since=${ago(1000 + n)}&until=${ago(976 + n)}`],
      ["up to a day long ago", (n) => `/audit-log?until=${ago(1500 + n)}`],
    ],
    getAuditEntry: [["", (n) => `/audit-log/${pick(large.auditEntryIds, n)}`]],
    exportAuditLog: [["of a rare action", () => "/audit-log/export?action=api_key.create"]],
    listViews: [["", () => "/views"], ["of a list", () => "/views?list=customers&limit=200"]],
    listWorkspaces: [["", () => "/workspaces"]],
    getWorkspace: [["", () => `/workspaces/${large.workspaceId}`]],
    listMembers: [["", () => "/members"]],
    listInvitations: [["", () => "/invitations"]],
    listSessions: [["", () => "/sessions"]],
    listApiKeys: [["", () => "/api-keys"]],
  };
}
