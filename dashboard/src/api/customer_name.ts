import type { Customer } from "./types.ts";

/** What a person would call the customer. */
export function customerName(customer: Customer): string {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(" ");
  return name || customer.email || customer.external_id || customer.anon_ids[0] || customer.id;
}
