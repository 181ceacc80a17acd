import type { AuditEntry } from "../../api/types.ts";
import { useWholeList } from "../../api/use_api.ts";

/** Options of the actor filter: members and keys, and the chosen actor if it is neither. */
export function useActors(entries: AuditEntry[], chosen: string | undefined) {
  const members = useWholeList("GET /members", {});
  const keys = useWholeList("GET /api-keys", {});
  const people = members.flatMap(({ user_id, email }) =>
    user_id ? [{ value: user_id, label: email ?? user_id }] : []
  );
  const known = [
    { group: "People", items: people },
    { group: "API keys", items: keys.map(({ id, name }) => ({ value: id, label: name })) },
  ].filter(({ items }) => items.length > 0);
  const isKnown = known.some(({ items }) => items.some(({ value }) => value === chosen));
  if (chosen === undefined || isKnown) return known;
  const name = entries.find(({ actor }) => actor.id === chosen)?.actor.name;
  return [...known, { group: "Others", items: [{ value: chosen, label: name ?? chosen }] }];
}
