/** The api's answers, as its typed client knows them. */
import type { ApiAnswer } from "./api_client.ts";

export interface List<T> {
  data: T[];
  next_cursor: string | null;
}

export type JsonObject = Record<string, unknown>;

export type Workspace = ApiAnswer<"PATCH /workspaces/{id}">;
export type Role = Workspace["role"];
/** A member of the workspace, or an invited person. */
export type Member = ApiAnswer<"POST /members">;
/** An open invitation to the signed-in user. */
export type Invitation = ApiAnswer<"GET /invitations">["data"][number];
export type ApiKey = ApiAnswer<"GET /api-keys">["data"][number];
export type Customer = ApiAnswer<"GET /customers/{id}">;
/** A record that was merged into a customer, with the IDs it had. */
export type Merge = ApiAnswer<"GET /customers/{id}/merges">["data"][number];
export type TrackedEvent = ApiAnswer<"GET /events/{id}">;
export type Destination = ApiAnswer<"GET /destinations/{id}">;
/** Outcomes and durations of the attempts at a destination over time. */
export type DestinationStats = ApiAnswer<"GET /destinations/{id}/stats">;
export type DestinationWithSecret = ApiAnswer<"POST /destinations">;
export type StartedJob = ApiAnswer<"POST /destinations/{id}/replay">;
export type DeliveryDetail = ApiAnswer<"GET /deliveries/{id}">;
/** One attempt of a message. */
export type Delivery = DeliveryDetail["attempts"][number];
export type Usage = ApiAnswer<"GET /usage">;
export type AuditEntry = ApiAnswer<"GET /audit-log">["data"][number];
/** Another system whose webhooks are received. */
export type Source = ApiAnswer<"GET /sources/{id}">;
export type SourceWithSecret = ApiAnswer<"POST /sources">;
/** One request to a source. */
export type Receipt = ApiAnswer<"GET /sources/{id}/receipts">["data"][number];
export type ReceiptDetail = ApiAnswer<"GET /sources/{id}/receipts/{receipt_id}">;
export type RejectedEntry = ApiAnswer<"GET /rejected-entries/{id}">;
