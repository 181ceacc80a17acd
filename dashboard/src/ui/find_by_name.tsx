import { Group, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { SearchHit } from "../api/types.ts";
import { useApiItem } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Select } from "./overlays.tsx";

const delayMs = 250;

interface FindByNameProps {
  noun: "campaign" | "template";
  /** Describes a result beside its name. */
  describe?: (hit: SearchHit) => string;
}

/** Opens a resource, found by a part of its name. */
export function FindByName({ noun, describe }: FindByNameProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), delayMs);
  const found = useApiItem("GET /search", { query: { q } }, { enabled: q !== "" });
  // Results of an earlier search must not be chosen while new ones load.
  const isCurrent = search.trim() === q && !found.isFetching;
  const hits = isCurrent && q !== ""
    ? (found.data?.data ?? []).filter(({ type }) => type === noun)
    : [];
  const open = (id: string | null) => {
    if (id !== null) void navigate({ href: `/w/${workspaceId}/${noun}s/${id}` });
  };
  const describeOption = (id: string) => {
    const hit = hits.find((each) => each.id === id);
    return hit && describe?.(hit);
  };
  return (
    <Select
      aria-label={`Find a ${noun}`}
      placeholder="Search by name"
      leftSection={<SearchIcon />}
      // A place to type a name, not a list to open.
      rightSection={<span />}
      data={hits.map(({ id, title }) => ({ value: id ?? "", label: title }))}
      value={null}
      onChange={open}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      // Enter takes the first one, once the results are there.
      selectFirstOptionOnChange={hits.length > 0}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
          <Text size="sm" truncate dir="auto">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {describeOption(option.value)}
          </Text>
        </Group>
      )}
      nothingFoundMessage={q === ""
        ? "Enter a part of a name"
        : isCurrent
        ? `No ${noun}s found`
        : "Searching…"}
      comboboxProps={{ width: 320, position: "bottom-start" }}
      searchable
    />
  );
}
