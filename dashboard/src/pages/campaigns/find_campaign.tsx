import { Group, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { stateLabels } from "./campaign_state.tsx";
import { Select } from "../../ui/overlays.tsx";

const delayMs = 250;

/** Opens a campaign, found by the beginning of its name. */
export function FindCampaign() {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), delayMs);
  const found = useApiItem("GET /search", { query: { q } }, { enabled: q !== "" });
  // Results of an earlier search must not be chosen while new ones load.
  const isCurrent = search.trim() === q && !found.isFetching;
  const hits = isCurrent && q !== ""
    ? (found.data?.data ?? []).filter(({ type }) => type === "campaign")
    : [];
  const open = (campaignId: string | null) => {
    if (campaignId === null) return;
    void navigate({
      to: "/w/$workspaceId/campaigns/$campaignId",
      params: { workspaceId, campaignId },
    });
  };
  return (
    <Select
      aria-label="Find a campaign"
      placeholder="Search by name"
      leftSection={<SearchIcon />}
      data={hits.map(({ id, title }) => ({ value: id ?? "", label: title }))}
      value={null}
      onChange={open}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
          <Text size="sm" truncate dir="auto">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {nameState(hits.find(({ id }) => id === option.value)?.subtitle)}
          </Text>
        </Group>
      )}
      nothingFoundMessage={q === ""
        ? "Enter the start of a name"
        : isCurrent
        ? "No campaigns found"
        : "Searching…"}
      comboboxProps={{ width: 320, position: "bottom-start" }}
      searchable
    />
  );
}

function nameState(state: string | null | undefined): string {
  return stateLabels[state as keyof typeof stateLabels] ?? "";
}
