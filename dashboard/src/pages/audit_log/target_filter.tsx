import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { AuditEntry } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { Select } from "../../ui/overlays.tsx";
import { nameTarget } from "./target_link.tsx";

const typingMs = 250;

/** Most targets that are offered from the rows. */
const mostOffered = 20;

interface TargetFilterProps {
  entries: AuditEntry[];
  value: string | undefined;
  onChange: (entityId: string | undefined) => void;
}

/** Chooses what was changed: from the rows, or found by the beginning of its name. */
export function TargetFilter({ entries, value, onChange }: TargetFilterProps) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), typingMs);
  const found = useApiItem("GET /search", { query: { q } }, { enabled: q.length >= 2 });
  const names = new Map<string, string>();
  const add = (id: string | null, name: string) => {
    if (id !== null && !names.has(id)) names.set(id, name);
  };
  for (const entry of entries) {
    if (names.size < mostOffered || entry.entity_id === value) {
      add(entry.entity_id, nameTarget(entry));
    }
  }
  if (q.length >= 2) {
    for (const { id, title, type } of found.data?.data ?? []) {
      if (type !== "audit_entry") add(id, title);
    }
  }
  if (value !== undefined) add(value, value);
  return (
    <Select
      aria-label="Target"
      placeholder="Any target"
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setSearch}
      // Enter takes the first one, once the results are there.
      selectFirstOptionOnChange={!found.isFetching}
      searchable
      clearable
    />
  );
}
