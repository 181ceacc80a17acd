/** What the api answers, as docs/api.md tells it. */
export type Role = "owner" | "admin" | "member" | "viewer";

export interface List<T> {
  data: T[];
  next_cursor: string | null;
}

export interface Workspace {
  id: string;
  name: string;
  plan: string;
  role: Role;
  created_at: string;
}

export type JsonObject = Record<string, unknown>;

export interface Customer {
  id: string;
  external_id: string | null;
  external_ids: string[];
  anon_ids: string[];
  email: string | null;
  phone: string | null;
  first_name: string | null;
  last_name: string | null;
  country: string | null;
  attributes: JsonObject;
  created_at: string;
  updated_at: string;
  last_seen_at: string | null;
}

export interface TrackedEvent {
  id: string;
  kind: "event" | "identify" | "alias";
  customer_id: string;
  external_id: string | null;
  anon_id: string | null;
  name: string | null;
  occurred_at: string;
  received_at: string;
  properties: JsonObject;
  context: JsonObject;
}

export interface DeviceToken {
  token: string;
  platform: "ios" | "android" | "web";
  created_at: string;
  updated_at: string;
}

export interface Destination {
  id: string;
  name: string;
  url: string;
  event_types: string[];
  enabled: boolean;
  disabled_reason: string | null;
  rate_limit_per_second: number | null;
  max_concurrency: number;
  description: string | null;
  created_at: string;
  updated_at: string;
  health: {
    pending: number;
    next_attempt_at: string | null;
    ok_24h: number;
    failed_24h: number;
    last_success_at: string | null;
    last_failure_at: string | null;
  };
}

export interface Delivery {
  id: string;
  destination_id: string;
  message_id: string;
  event_type: string;
  attempt_number: number;
  trigger: "event" | "retry" | "replay" | "test";
  ok: boolean;
  status_code: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
  attempted_at: string;
  next_attempt_at: string | null;
}

export interface EventTypes {
  data: { name: string; kind: "service" | "tracked"; description?: string | null }[];
}

export interface Job {
  id: string;
  kind: string;
  state: string;
  done: number;
  total: number;
  created_at: string;
  finished_at: string | null;
}

export interface ApiKey {
  id: string;
  name: string;
  last_four: string;
  scopes: string[];
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

export interface CreatedApiKey extends ApiKey {
  /** Shown this once. */
  key: string;
}

/** Somebody in the workspace, or invited to it. */
export interface Member {
  id: string;
  user_id: string | null;
  email: string;
  role: Role;
  state: "active" | "invited";
  created_at: string;
  expires_at: string | null;
}

export interface AuditEntry {
  id: string;
  actor_kind: "user" | "api_key";
  actor_id: string;
  actor_name: string | null;
  action: string;
  entity_id: string | null;
  details: JsonObject;
  request_id: string | null;
  created_at: string;
}

export interface UsageBucket {
  at: string;
  events: number;
  customers: number;
  deliveries: number;
  failures: number;
}

export interface Usage {
  data: UsageBucket[];
}

export interface TopEvent {
  name: string;
  events: number;
}
