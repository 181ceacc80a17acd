import type { AuditEntry } from "../../api/types.ts";

/** A row of the audit log: an entry, or the newest of several that are shown as one. */
export interface AuditRow extends AuditEntry {
  /** The number of entries, and whether they follow as rows of their own. */
  group?: { count: number; isOpen: boolean };
}

/** Saves of a draft that are further apart are shown as separate work. */
const longestPauseMs = 10 * 60_000;

/**
 * Groups the saves of a draft, which the editor of a journey makes every few seconds. The log itself
 * keeps each of them, because nothing in it is ever changed (decision 0079).
 * @param open ids of the groups whose entries are shown
 */
export function groupEntries(
  entries: readonly AuditEntry[],
  open: ReadonlySet<string>,
): AuditRow[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group && isSameWork(group.at(-1)!, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group): AuditRow[] => {
    const [first] = group;
    if (group.length === 1) return group;
    const isOpen = open.has(groupId(first));
    const row = { ...first, id: groupId(first), group: { count: group.length, isOpen } };
    return isOpen ? [row, ...group] : [row];
  });
}

function groupId({ id }: AuditEntry): string {
  return `group:${id}`;
}

function isSameWork(one: AuditEntry, other: AuditEntry): boolean {
  const pauseMs = Math.abs(Date.parse(one.created_at) - Date.parse(other.created_at));
  return isSave(one) && isSave(other) && one.entity_id === other.entity_id &&
    one.actor.kind === other.actor.kind && one.actor.id === other.actor.id &&
    pauseMs <= longestPauseMs;
}

/** Returns whether an entry is a save of a draft and of nothing else. */
function isSave({ action, details: { fields } }: AuditEntry): boolean {
  return action === "journey.update" && Array.isArray(fields) && fields.length === 1 &&
    fields[0] === "definition";
}
