import { Anchor, Text } from "@mantine/core";
import type { AuditEntry } from "../../api/types.ts";
import { type LinkSearch, linkTo } from "../../ui/link_to.ts";
import { capitalize } from "../../format/capitalize.ts";
import { isQuestion } from "./actions.ts";

interface TargetPage {
  path: string;
  search?: LinkSearch;
}

/** Makes the page of what was changed, by the first word of the action. */
const targetPages: Record<string, (id: string) => TargetPage> = {
  alert_rule: () => ({ path: "/alerts" }),
  api_key: () => ({ path: "/settings/api-keys" }),
  campaign: (id) => ({ path: `/campaigns/${id}` }),
  customer: (id) => ({ path: `/customers/${id}` }),
  delivery: (id) => ({ path: `/deliveries/${id}` }),
  destination: (id) => ({ path: `/destinations/${id}` }),
  event_definition: (name) => ({ path: "/catalogue/event", search: { name } }),
  journey: (id) => ({ path: `/journeys/${id}` }),
  member: () => ({ path: "/settings/team" }),
  message: (id) => ({ path: "/messages", search: { message: id } }),
  rejected_entry: (id) => ({ path: "/rejected", search: { entry: id } }),
  rejected_reason: (code) => ({ path: "/rejected", search: { status: "discarded", code } }),
  segment: (id) => ({ path: `/segments/${id}` }),
  send: (id) => ({ path: `/sends/${id}` }),
  sender: (id) => ({ path: `/senders/${id}` }),
  source: (id) => ({ path: `/sources/${id}` }),
  template: (id) => ({ path: `/templates/${id}` }),
  topic: () => ({ path: "/topics" }),
  workspace: () => ({ path: "/settings" }),
};

interface TargetLinkProps {
  entry: AuditEntry;
  /** Path of the workspace. */
  workspace: string;
}

/** Names what was changed, with a link to it as long as it is there. */
export function TargetLink({ entry, workspace }: TargetLinkProps) {
  const { action, entity_id } = entry;
  const isGone = /\.(delete|erase|revoke|remove|withdraw|decline)$/.test(action);
  const page = isGone || !entity_id ? undefined : targetPages[nounOf(action)]?.(entity_id);
  const text = nameTarget(entry);
  if (page === undefined) {
    return <Text size="sm" className="break-anywhere" dir="auto">{text}</Text>;
  }
  return (
    <Anchor
      {...linkTo(`${workspace}${page.path}`, page.search)}
      size="sm"
      className="break-anywhere"
      dir="auto"
    >
      {text}
    </Anchor>
  );
}

/** Names what was changed: its name, or its kind with the end of its ID. */
export function nameTarget(entry: AuditEntry): string {
  const { action, entity_id, entity_name } = entry;
  if (entity_name !== null) return entity_name;
  if (nounOf(action) === "rejected_reason" && entity_id !== null) return entity_id;
  const kind = isQuestion(entry) ? "Question" : nameKind(action);
  return entity_id === null ? "–" : `${kind} ${shorten(entity_id)}`;
}

function nounOf(action: string): string {
  return action.split(".")[0] ?? "";
}

/** Names the kind of what an action is about: "Delivery", "Rejected entry". */
function nameKind(action: string): string {
  return capitalize(nounOf(action).replaceAll("_", " "));
}

/** Returns the end of an ID, which differs between IDs created together. */
function shorten(id: string): string {
  return `…${id.slice(-12)}`;
}
