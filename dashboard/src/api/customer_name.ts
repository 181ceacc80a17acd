import type { Customer } from "./types.ts";

/** Returns the best name for a customer: name, email address or ID. */
export function customerName(customer: Customer): string {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(" ");
  return name || customer.email || customer.external_id || customer.anon_ids[0] || customer.id;
}
