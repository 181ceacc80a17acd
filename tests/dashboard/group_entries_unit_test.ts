import assert from "node:assert/strict";
import type { AuditEntry } from "../../dashboard/src/api/types.ts";
import { groupEntries } from "../../dashboard/src/pages/audit_log/group_entries.ts";

/** A save of a draft, so many minutes after ten. */
function save(minute: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `at-${minute}`,
    action: "journey.update",
    actor: { kind: "user", id: "ada", name: "ada@example.com" },
    entity_id: "welcome",
    entity_name: "Welcome",
    details: { fields: ["definition"] },
    request_id: null,
    created_at: new Date(Date.UTC(2026, 10, 30, 10, minute)).toISOString(),
    ...fields,
  };
}

function idsOf(entries: AuditEntry[], open: string[] = []): string[] {
  return groupEntries(entries, new Set(open)).map(({ id }) => id);
}

Deno.test("saves of a draft are one row until there is a pause of over 10 minutes", () => {
  const entries = [save(31), save(20), save(10), save(5)];
  const [alone, group, ...others] = groupEntries(entries, new Set());
  assert.equal(alone?.group, undefined);
  assert.deepEqual(group?.group, { count: 3, isOpen: false });
  assert.equal(group?.created_at, entries[1]!.created_at);
  assert.deepEqual(others, []);
  assert.deepEqual(idsOf(entries.toReversed()), ["group:at-5", "at-31"]);
});

Deno.test("an open group is followed by its entries", () => {
  const entries = [save(2), save(1)];
  assert.deepEqual(idsOf(entries, ["group:at-2"]), ["group:at-2", "at-2", "at-1"]);
});

Deno.test("what another person, journey or change did in between is a row of its own", () => {
  const others: Partial<AuditEntry>[] = [
    { actor: { kind: "user", id: "grace", name: null } },
    { entity_id: "goodbye" },
    { details: { fields: ["name", "definition"] } },
    { action: "journey.publish" },
  ];
  for (const other of others) {
    const entries = [save(3), save(2, other), save(1)];
    assert.deepEqual(idsOf(entries), ["at-3", "at-2", "at-1"], JSON.stringify(other));
  }
});
