/** The api's responses, as its typed client knows them. */
import type { ApiResponse } from "./api_client.ts";

export interface List<T> {
  data: T[];
  next_cursor: string | null;
}

export type JsonObject = Record<string, unknown>;

export type Workspace = ApiResponse<"PATCH /workspaces/{id}">;
export type Role = Workspace["role"];
/** A member of the workspace, or an invited person. */
export type Member = ApiResponse<"GET /members">["data"][number];
/** An invitation, with whether it is emailed. */
export type InvitedMember = ApiResponse<"POST /members">;
/** An open invitation to the signed-in user. */
export type Invitation = ApiResponse<"GET /invitations">["data"][number];
export type ApiKey = ApiResponse<"GET /api-keys">["data"][number];
export type Customer = ApiResponse<"GET /customers/{id}">;
/** A record that was merged into a customer, with the IDs it had. */
export type Merge = ApiResponse<"GET /customers/{id}/merges">["data"][number];
export type TrackedEvent = ApiResponse<"GET /events/{id}">;
/** An event name in the catalogue. */
export type CataloguedEvent = ApiResponse<"GET /catalogue">["data"][number];
export type CataloguedEventDetails = ApiResponse<"GET /catalogue/{name}">;
/** The checks that decide whether a customer is sent something. */
export type SendExplanation = ApiResponse<"GET /sends/explain">;
export type Destination = ApiResponse<"GET /destinations/{id}">;
/** Outcomes and durations of the attempts at a destination over time. */
export type DestinationStats = ApiResponse<"GET /destinations/{id}/stats">;
export type SenderStats = ApiResponse<"GET /senders/{id}/stats">;
export type DestinationWithSecret = ApiResponse<"POST /destinations">;
export type StartedJob = ApiResponse<"POST /destinations/{id}/replay">;
export type DeliveryDetail = ApiResponse<"GET /deliveries/{id}">;
/** One attempt of a message. */
export type Delivery = DeliveryDetail["attempts"][number];
export type Segment = ApiResponse<"GET /segments/{id}">;
/** A customer in a segment. */
export type SegmentMember = ApiResponse<"GET /segments/{id}/customers">["data"][number];
/** A customer that entered or left a segment. */
export type SegmentChange = ApiResponse<"GET /segments/{id}/changes">["data"][number];
export type Journey = ApiResponse<"GET /journeys/{id}">;
/** A journey without its definition. */
export type ListedJourney = ApiResponse<"GET /journeys">["data"][number];
export type JourneyVersion = ApiResponse<"GET /journeys/{id}/versions">["data"][number];
/** Effects of publishing the draft of a journey. */
export type PublishPreview = ApiResponse<"GET /journeys/{id}/publish-preview">;
/** Figures of a journey by step. */
export type JourneyStats = ApiResponse<"GET /journeys/{id}/stats">;
/** The path of one customer through a journey, which sends and stores nothing. */
export type Simulation = ApiResponse<"POST /journeys/{id}/simulate">;
/** Result of a journey over recorded events. */
export type Rehearsal = NonNullable<ApiResponse<"GET /jobs/{id}">["result"]>;
/** One passage of a customer through a journey. */
export type Run = ApiResponse<"GET /runs/{id}">;
/** A run without its steps. */
export type ListedRun = ApiResponse<"GET /journeys/{id}/runs">["data"][number];
export type Sender = ApiResponse<"GET /senders/{id}">;
/** The DNS records of a sender's domain. */
export type SenderDns = ApiResponse<"GET /senders/{id}/dns">;
/** A message to a customer, without what was rendered. */
export type SendSummary = ApiResponse<"GET /sends">["data"][number];
export type Send = ApiResponse<"GET /sends/{id}">;
export type Campaign = ApiResponse<"GET /campaigns/{id}">;
export type CampaignStats = ApiResponse<"GET /campaigns/{id}/stats">;
/** Numbers of those who would get a campaign now, and of others. */
export type CampaignReview = ApiResponse<"POST /campaigns/{id}/review">;
export type Topic = ApiResponse<"GET /topics">["data"][number];
/** An address that nothing is sent to. */
export type Suppression = ApiResponse<"GET /suppressions">["data"][number];
/** Saved filters and columns of a list. */
export type View = ApiResponse<"GET /views">["data"][number];
export type Template = ApiResponse<"GET /templates/{id}">;
export type TemplateVersion = ApiResponse<"GET /templates/{id}/versions">["data"][number];
/** A template without its bodies. */
export type TemplateSummary = ApiResponse<"GET /templates">["data"][number];
/** A message with its state at every destination. */
export type MessageDetail = ApiResponse<"GET /messages/{id}">;
/** A message at one destination. */
export type Message = MessageDetail["destinations"][number];
/** A rule that opens alerts. */
export type AlertRule = ApiResponse<"GET /alert-rules/{id}">;
export type Alert = ApiResponse<"GET /alerts/{id}">;
/** Something that a search found. */
export type SearchHit = ApiResponse<"GET /search">["data"][number];
export type Usage = ApiResponse<"GET /usage">;
export type AuditEntry = ApiResponse<"GET /audit-log">["data"][number];
/** Another system whose webhooks are received. */
export type Source = ApiResponse<"GET /sources/{id}">;
export type SourceWithSecret = ApiResponse<"POST /sources">;
/** One request to a source. */
export type Receipt = ApiResponse<"GET /sources/{id}/receipts">["data"][number];
export type ReceiptDetail = ApiResponse<"GET /sources/{id}/receipts/{receipt_id}">;
export type RejectedEntry = ApiResponse<"GET /rejected-entries/{id}">;
/** Rejected entries with the same reason. */
export type RejectionReason = ApiResponse<"GET /rejected-entries/reasons">["data"][number];
