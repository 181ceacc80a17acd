import type { Customer } from "./types.ts";

/** Returns the best name for a customer: name, email address or ID. */
export function customerName(customer: Customer): string {
  const { first_name, last_name, attributes } = customer;
  const given = typeof attributes.name === "string" ? attributes.name.trim() : "";
  const name = [first_name, last_name].filter(Boolean).join(" ") || given;
  return name || customer.email || customer.external_id || customer.anon_ids[0] || customer.id;
}
