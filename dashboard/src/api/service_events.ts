/** Events about its own messages that the service stores, and that a journey can wait for. */
export const engagements = [
  "email_sent",
  "email_delivered",
  "email_opened",
  "email_clicked",
  "email_bounced",
  "email_complained",
  "unsubscribed",
];

const serviceEvents: ReadonlySet<string> = new Set([...engagements, "email_failed"]);

/** Returns whether the service stores events of this name itself. */
export function isServiceEvent(name: string | null): boolean {
  return name !== null && serviceEvents.has(name);
}
