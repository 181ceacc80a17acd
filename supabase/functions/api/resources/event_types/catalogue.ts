/** The types the service itself sends, with when it does. */
export const catalogue: readonly { type: string; description: string }[] = [
  { type: "customer.created", description: "A customer with an external id comes to be" },
  { type: "customer.updated", description: "At least one field of a customer changed" },
  { type: "customer.merged", description: "Two records turned out to be one customer" },
  { type: "customer.deleted", description: "A customer was erased" },
  { type: "destination.failing", description: "Another destination fails" },
  { type: "destination.disabled", description: "Another destination was disabled" },
  { type: "destination.recovered", description: "Another destination works again" },
  { type: "ping", description: "A test; goes to the tested destination whatever it subscribes to" },
];
