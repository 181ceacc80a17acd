/** What the api answers, by the very schemas that it answers with. */
import type { z } from "zod";
import type { apiKey } from "../../../supabase/functions/api/routes/api_keys/schema.ts";
import type {
  customer,
  deviceToken,
  merge,
} from "../../../supabase/functions/api/routes/customers/schema.ts";
import type {
  delivery,
  deliveryDetail,
} from "../../../supabase/functions/api/routes/deliveries/schema.ts";
import type {
  destination,
  destinationWithSecret,
  sentMessage,
  startedJob,
} from "../../../supabase/functions/api/routes/destinations/schema.ts";
import type { event } from "../../../supabase/functions/api/routes/events/schema.ts";
import type { member } from "../../../supabase/functions/api/routes/members/schema.ts";
import type { workspace } from "../../../supabase/functions/api/routes/workspaces/schema.ts";

export interface List<T> {
  data: T[];
  next_cursor: string | null;
}

export type JsonObject = Record<string, unknown>;

export type Workspace = z.output<typeof workspace>;
export type Role = Workspace["role"];

/** Somebody in the workspace, or invited to it. */
export type Member = z.output<typeof member>;

export type ApiKey = z.output<typeof apiKey>;
/** Its key is shown this once. */
export type CreatedApiKey = ApiKey & { key: string };

export type Customer = z.output<typeof customer>;
/** A record that became part of a customer, with what it was. */
export type Merge = z.output<typeof merge>;
export type DeviceToken = z.output<typeof deviceToken>;
export type TrackedEvent = z.output<typeof event>;

export type Destination = z.output<typeof destination>;
export type DestinationWithSecret = z.output<typeof destinationWithSecret>;
export type SentMessage = z.output<typeof sentMessage>;
export type StartedJob = z.output<typeof startedJob>;

/** One attempt of a message. */
export type Delivery = z.output<typeof delivery>;
export type DeliveryDetail = z.output<typeof deliveryDetail>;

export interface Job {
  id: string;
  state: "pending" | "running" | "done";
  done: number;
  total: number;
  created_at: string;
  finished_at: string | null;
}

/** Names of tracked events that were seen, and the service's own types. */
export interface EventTypes extends List<{ name: string; events: number; last_seen_at: string }> {
  service: { type: string; description: string }[];
}

export interface UsageFigures {
  events: number;
  customers: number;
  deliveries: number;
  failures: number;
}

export interface Usage {
  interval: "hour" | "day";
  totals: UsageFigures;
  data: ({ at: string } & UsageFigures)[];
  top_events: { name: string; events: number }[];
}

export interface AuditEntry {
  id: string;
  action: string;
  actor: { kind: "user" | "api_key"; id: string; name: string | null };
  entity_id: string | null;
  details: JsonObject;
  request_id: string | null;
  created_at: string;
}
