import { Autocomplete, Badge, Button, CloseButton, Group } from "@mantine/core";
import { PauseIcon, PlayIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { useApiItem } from "../../api/use_api.ts";
import { FilterInput } from "../../components/filter_input.tsx";
import { Page } from "../../components/page.tsx";
import { RangePicker } from "../../components/range_picker.tsx";
import { useFilters } from "../../use_filters.ts";
import { useOptionalRange } from "../../use_range.ts";
import { EventDrawer } from "./event_drawer.tsx";
import { LiveEventList } from "./live_event_list.tsx";

export function EventsPage() {
  const { filters, setFilters } = useFilters();
  const [isPaused, { toggle }] = useDisclosure();
  const { since, until } = useOptionalRange();
  const types = useApiItem("GET /event-types", { query: { limit: 200 } });
  const names = types.data?.data.map(({ name }) => name);
  return (
    <Page
      title="Live events"
      heading={
        <Group gap="sm">
          <span>Live events</span>
          <Badge
            color={isPaused ? "gray" : "green"}
            leftSection={<span className={isPaused ? "pulse-off" : "pulse"} />}
          >
            {isPaused ? "Paused" : "Listening"}
          </Badge>
        </Group>
      }
      description="What your products and servers send, as it arrives."
      actions={
        <Button
          variant="default"
          leftSection={isPaused ? <PlayIcon /> : <PauseIcon />}
          onClick={toggle}
        >
          {isPaused ? "Go on" : "Pause"}
        </Button>
      }
    >
      <Group mb="md" gap="xs">
        <Autocomplete
          aria-label="Event name"
          placeholder="Event name"
          data={names ?? []}
          value={filters.name ?? ""}
          onChange={(name) => setFilters({ name: name || undefined })}
          rightSection={filters.name && (
            <CloseButton
              size="sm"
              aria-label="Clear the event name"
              onClick={() => setFilters({ name: undefined })}
            />
          )}
          w={220}
        />
        <FilterInput
          aria-label="Customer id"
          placeholder="Customer id"
          value={filters.customer_id}
          onChange={(customer_id) => setFilters({ customer_id })}
          w={300}
        />
        <RangePicker fallback="all" />
      </Group>
      <LiveEventList
        query={{ name: filters.name, customer_id: filters.customer_id, since, until }}
        isPaused={isPaused}
      />
      <EventDrawer />
    </Page>
  );
}
