/** Event types that the service itself sends, with their cause. */
export const catalogue: readonly { type: string; description: string }[] = [
  { type: "customer.created", description: "A customer gets their first external id" },
  { type: "customer.updated", description: "At least one field of a customer changed" },
  { type: "customer.merged", description: "Two records were merged into one customer" },
  { type: "customer.deleted", description: "A customer was erased" },
  { type: "destination.failing", description: "Another destination is failing" },
  { type: "destination.disabled", description: "Another destination was disabled" },
  { type: "destination.recovered", description: "Another destination has recovered" },
  {
    type: "ping",
    description: "A test message; goes to the tested destination regardless of its subscriptions",
  },
];
