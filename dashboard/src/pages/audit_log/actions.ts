/** What the audit log calls each change, by what it was done to, and in words. */
export const ACTIONS = {
  "Workspace": {
    "workspace.update": "Changed the workspace",
  },
  "Team": {
    "member.invite": "Invited",
    "member.join": "Joined the team",
    "member.decline": "Declined an invitation",
    "member.withdraw": "Withdrew an invitation",
    "member.update": "Changed a role",
    "member.remove": "Removed from the team",
  },
  "API keys": {
    "api_key.create": "Created a key",
    "api_key.revoke": "Revoked a key",
  },
  "Customers": {
    "customer.update": "Edited a customer",
    "customer.erase": "Erased a customer",
  },
  "Destinations": {
    "destination.create": "Created a destination",
    "destination.update": "Changed a destination",
    "destination.delete": "Deleted a destination",
    "destination.rotate_secret": "Rotated a destination's secret",
    "destination.test": "Sent a test ping",
    "destination.replay": "Replayed what failed",
    "destination.recover": "Recovered what was missed",
  },
  "Deliveries": {
    "delivery.replay": "Replayed a delivery",
  },
  "Sources": {
    "source.create": "Created a source",
    "source.update": "Changed a source",
    "source.delete": "Deleted a source",
    "source.rotate_secret": "Changed a source's secret",
    "source.test": "Tried a mapping",
  },
  "Rejected entries": {
    "rejected_entry.resend": "Sent an entry again",
  },
} as const satisfies Record<string, Record<string, string>>;

const LABELS: Record<string, string> = Object.assign({}, ...Object.values(ACTIONS));

/** An action in words; one that is newer than these words as it is. */
export function actionLabel(action: string): string {
  return LABELS[action] ?? action;
}

/** For a choice of one of them. */
export const ACTION_OPTIONS = Object.entries(ACTIONS).map(([group, actions]) => ({
  group,
  items: Object.entries(actions).map(([value, label]) => ({ value, label })),
}));
