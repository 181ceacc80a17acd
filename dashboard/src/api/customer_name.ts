import type { Customer } from "./types.ts";

/** Returns the best name for a customer: name, email address or ID. */
export function customerName(customer: Customer): string {
  return customerInitials(customer) || customer.external_id || customer.anon_ids[0] || customer.id;
}

/** Returns the name or address of which an avatar shows the initials; empty for a mere ID. */
export function customerInitials({ first_name, last_name, attributes, email }: Customer): string {
  const given = typeof attributes.name === "string" ? attributes.name.trim() : "";
  return [first_name, last_name].filter(Boolean).join(" ") || given || email || "";
}
