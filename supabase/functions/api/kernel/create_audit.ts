import { isRecord } from "../../_shared/json/json.ts";
import { listChanges } from "./changes.ts";
import { type AuditEntry, type CallerSql, writeAudit } from "./caller.ts";
import type { ApiRoute, Audited } from "./route.ts";

/** A field of a body that says which state the call expects, and that each change moves. */
const expectedState = "draft_revision";

/** The fields that a call can change. */
function fieldsOf({ body }: ApiRoute): string[] {
  if (body === undefined) return [];
  return Object.keys(body.shape).filter((field) => field !== expectedState);
}

/** A resource before and after a call. */
interface State {
  before?: unknown;
  after?: unknown;
}

/** Adds the values that changed to the details of an entry, or the name of what was deleted. */
function describeStates(
  route: ApiRoute,
  { before, after, entry }: State & { entry: AuditEntry },
): AuditEntry["details"] {
  if (!isRecord(before)) return entry.details;
  if (route.method === "DELETE") return { name: before.name, ...entry.details };
  return { ...entry.details, changes: listChanges(fieldsOf(route), { before, after }) };
}

/** Returns whether a call left its resource as it was. */
function isUnchanged(
  { details: { fields, changes } }: AuditEntry,
  { before, after }: State,
): boolean {
  if (Array.isArray(fields) && fields.length === 0) return true;
  if (!isRecord(changes) || Object.keys(changes).length > 0) return false;
  // Secrets are never shown, but a new one moves the time.
  const known = [before, after].map((state) => isRecord(state) && state.updated_at || state);
  return JSON.stringify(known[0]) === JSON.stringify(known[1]);
}

/** Collects the entries of a call. A change that changes nothing leaves none. */
export function createAudit(tx: CallerSql, route: ApiRoute, requestId: string) {
  const actions = [route.action ?? []].flat();
  const entries: AuditEntry[] = [];
  let isWritten = false;
  return {
    isWritten: () => isWritten,
    async audit(entity: string | Audited, details: Readonly<Record<string, unknown>> = {}) {
      const { id, action } = typeof entity === "string"
        ? { id: entity, action: actions[0] }
        : entity;
      if (action === undefined || !actions.includes(action)) {
        throw new Error("Cannot write to the audit log: the route does not list this action");
      }
      isWritten = true;
      const entry = { action, entityId: id, details, requestId };
      // The values after the change are known when the handler has ended.
      if (route.shownBy !== undefined) entries.push(entry);
      else if (!isUnchanged(entry, {})) await writeAudit(tx, entry);
    },
    async finish(states: State) {
      for (const written of entries) {
        const details = describeStates(route, { ...states, entry: written });
        const entry = { ...written, details };
        if (!isUnchanged(entry, states)) await writeAudit(tx, entry);
      }
    },
  };
}
