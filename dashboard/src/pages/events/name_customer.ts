import type { TrackedEvent } from "../../api/types.ts";

type About = Pick<TrackedEvent, "customer_id" | "customer_name" | "external_id" | "anon_id">;

/** Returns the name of an event's customer, or else an id that the event was sent with. */
export function nameCustomer({ customer_id, customer_name, external_id, anon_id }: About): string {
  return customer_name ?? external_id ?? anon_id ?? customer_id;
}
