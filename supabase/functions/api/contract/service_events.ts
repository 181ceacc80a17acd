/** Names of events about its own messages that the service stores, and that a journey can wait for. */
export const engagementEvents = [
  "email_sent",
  "email_delivered",
  "email_opened",
  "email_clicked",
  "email_bounced",
  "email_complained",
  "unsubscribed",
] as const;

/** Names of all events that the service stores itself. */
export const serviceEvents: readonly string[] = [
  ...engagementEvents,
  "email_failed",
  "subscribed",
];
