import type { AuditEntry } from "../../api/types.ts";

/** The actions of the audit log in words, grouped by resource. */
export const actionTexts = {
  "Workspace": {
    "workspace.update": "Changed the workspace",
  },
  "Team": {
    "member.invite": "Invited a member",
    "member.mail": "Resent an invitation",
    "member.join": "Joined the team",
    "member.decline": "Declined an invitation",
    "member.withdraw": "Withdrew an invitation",
    "member.update": "Changed a role",
    "member.remove": "Removed a member",
  },
  "API keys": {
    "api_key.create": "Created a key",
    "api_key.revoke": "Revoked a key",
  },
  "Customers": {
    "customer.update": "Edited a customer",
    "customer.erase": "Erased a customer",
    "customer.set_topic": "Changed a customer's subscription",
  },
  "Events": {
    "event_definition.update": "Described an event",
  },
  "Templates": {
    "template.create": "Created a template",
    "template.update": "Changed a template",
    "template.delete": "Deleted a template",
  },
  "Segments": {
    "segment.create": "Created a segment",
    "segment.update": "Changed a segment",
    "segment.delete": "Deleted a segment",
    "segment.add_customers": "Added customers to a segment",
    "segment.remove_customers": "Removed customers from a segment",
  },
  "Journeys": {
    "journey.create": "Created a journey",
    "journey.update": "Changed a journey",
    "journey.delete": "Deleted a journey",
    "journey.publish": "Published a journey",
    "journey.pause": "Paused a journey",
    "journey.resume": "Resumed a journey",
    "journey.drain": "Drained a journey",
    "journey.stop": "Stopped a journey",
    "journey.enter": "Let a customer enter a journey",
    "journey.replay": "Replayed runs from a step",
    "journey.rehearse": "Rehearsed a journey",
    "run.remove": "Ended a run",
  },
  "Campaigns": {
    "campaign.create": "Created a campaign",
    "campaign.update": "Changed a campaign",
    "campaign.delete": "Deleted a campaign",
    "campaign.schedule": "Scheduled a campaign",
    "campaign.send": "Sent a campaign",
    "campaign.pause": "Paused a campaign",
    "campaign.resume": "Resumed a campaign",
    "campaign.cancel": "Cancelled a campaign",
    "campaign.test": "Sent a campaign to test addresses",
  },
  "Senders": {
    "sender.create": "Created a sender",
    "sender.update": "Changed a sender",
    "sender.delete": "Deleted a sender",
    "sender.test": "Sent a test email",
    "send.create": "Sent an email",
  },
  "Topics": {
    "topic.create": "Created a topic",
    "topic.update": "Changed a topic",
    "topic.delete": "Deleted a topic",
  },
  "Suppressions": {
    "suppression.create": "Suppressed an address",
    "suppression.delete": "Removed a suppression",
    "suppression.import": "Imported suppressions",
  },
  "Destinations": {
    "destination.create": "Created a destination",
    "destination.update": "Changed a destination",
    "destination.delete": "Deleted a destination",
    "destination.rotate_secret": "Rotated a destination's secret",
    "destination.test": "Sent a test",
    "destination.replay": "Resent failed messages",
    "destination.recover": "Delivered missed messages",
    "destination.discard": "Discarded missed messages",
  },
  "Deliveries": {
    "delivery.replay": "Resent a delivery",
  },
  "Messages": {
    "message.try_now": "Tried a message now",
    "message.cancel": "Canceled a message",
  },
  "Alerts": {
    "alert_rule.create": "Created an alert rule",
    "alert_rule.update": "Changed an alert rule",
    "alert_rule.delete": "Deleted an alert rule",
    "alert_rule.test": "Sent a test alert",
  },
  "Sources": {
    "source.create": "Created a source",
    "source.update": "Changed a source",
    "source.delete": "Deleted a source",
    "source.rotate_secret": "Rotated a source's secret",
    "source.test": "Tested a mapping",
  },
  "Views and questions": {
    "view.create": "Saved a view",
    "view.update": "Changed a view",
    "view.delete": "Deleted a view",
  },
  "Rejected entries": {
    "rejected_entry.resend": "Resent an entry",
    "rejected_entry.discard": "Discarded an entry",
    "rejected_reason.discard": "Discarded the entries of a reason",
  },
} as const satisfies Record<string, Record<string, string>>;

const kindLabels: Record<string, string> = Object.assign({}, ...Object.values(actionTexts));

/** Returns the text of an action, or the action itself if it has none. */
export function actionLabel(action: string): string {
  return kindLabels[action] ?? action;
}

/** Texts of the actions on a view of Explore, which is a question there. */
const questionTexts: Record<string, string> = {
  "view.create": "Saved a question",
  "view.update": "Changed a question",
  "view.delete": "Deleted a question",
};

/** Returns whether an entry is about a saved question of Explore. */
export function isQuestion({ action, details }: Pick<AuditEntry, "action" | "details">): boolean {
  return action in questionTexts && details.list === "explore";
}

/** Returns the text of an entry's action, by what it is about. */
export function describeAction(entry: Pick<AuditEntry, "action" | "details">): string {
  return isQuestion(entry) ? questionTexts[entry.action]! : actionLabel(entry.action);
}

/** Options of a select, grouped by resource: all actions of a resource, and each alone. */
export const actionOptions = Object.entries(actionTexts).map(([group, actions]) => {
  const items = Object.entries(actions).map(([value, label]) => ({ value, label }));
  const all = { value: Object.keys(actions).join(","), label: `${group}: all changes` };
  return { group, items: items.length > 1 ? [all, ...items] : items };
});
