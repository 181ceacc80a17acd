/** What the api answers, as its typed client knows it. */
import type { ApiAnswer } from "./api_client.ts";

export interface List<T> {
  data: T[];
  next_cursor: string | null;
}

export type JsonObject = Record<string, unknown>;

export type Workspace = ApiAnswer<"PATCH /workspaces/{id}">;
export type Role = Workspace["role"];
/** Somebody in the workspace, or invited to it. */
export type Member = ApiAnswer<"POST /members">;
/** An open invitation to the signed-in user. */
export type Invitation = ApiAnswer<"GET /invitations">["data"][number];
export type ApiKey = ApiAnswer<"GET /api-keys">["data"][number];
export type Customer = ApiAnswer<"GET /customers/{id}">;
/** A record that became part of a customer, with what it was. */
export type Merge = ApiAnswer<"GET /customers/{id}/merges">["data"][number];
export type TrackedEvent = ApiAnswer<"GET /events/{id}">;
export type EventTypes = ApiAnswer<"GET /event-types">;
export type Destination = ApiAnswer<"GET /destinations/{id}">;
/** How attempts at a destination went over time, and how long they took. */
export type DestinationStats = ApiAnswer<"GET /destinations/{id}/stats">;
export type DestinationWithSecret = ApiAnswer<"POST /destinations">;
export type StartedJob = ApiAnswer<"POST /destinations/{id}/replay">;
export type DeliveryDetail = ApiAnswer<"GET /deliveries/{id}">;
/** One attempt of a message. */
export type Delivery = DeliveryDetail["attempts"][number];
export type Usage = ApiAnswer<"GET /usage">;
export type AuditEntry = ApiAnswer<"GET /audit-log">["data"][number];
/** Another system whose webhooks are taken in. */
export type Source = ApiAnswer<"GET /sources/{id}">;
export type SourceWithSecret = ApiAnswer<"POST /sources">;
/** One request to a source. */
export type Receipt = ApiAnswer<"GET /sources/{id}/receipts">["data"][number];
export type ReceiptDetail = ApiAnswer<"GET /sources/{id}/receipts/{receipt_id}">;
export type RejectedEntry = ApiAnswer<"GET /rejected-entries/{id}">;
