import { Badge, Button, Group } from "@mantine/core";
import { PauseIcon, PlayIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { SuggestInput } from "../../components/filter_input.tsx";
import { Filters } from "../../components/filters.tsx";
import { Page } from "../../components/page.tsx";
import { RangePicker } from "../../components/range_picker.tsx";
import { useFilters } from "../../use_filters.ts";
import { useOptionalRange } from "../../use_range.ts";
import { CustomerFilter } from "../customers/customer_filter.tsx";
import { EventDrawer } from "./event_drawer.tsx";
import { LiveEventList } from "./live_event_list.tsx";
import { useEventNames } from "./use_event_names.ts";

export function EventsPage() {
  const { filters, setFilters } = useFilters();
  const [isPaused, { toggle }] = useDisclosure();
  const { since, until } = useOptionalRange();
  const names = useEventNames();
  const query = { name: filters.name, customer_id: filters.customer_id, since, until };
  const isLive = until === undefined;
  return (
    <Page
      title="Live events"
      heading={
        <Group gap="sm">
          <span>Live events</span>
          {isLive && (
            <Badge
              color={isPaused ? "gray" : "green"}
              leftSection={<span className={isPaused ? "pulse-off" : "pulse"} />}
            >
              {isPaused ? "Paused" : "Listening"}
            </Badge>
          )}
        </Group>
      }
      description="What your products and servers send, as it arrives."
      actions={isLive && (
        <Button
          variant="default"
          leftSection={isPaused ? <PlayIcon /> : <PauseIcon />}
          onClick={toggle}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
      )}
    >
      <Filters>
        <SuggestInput
          aria-label="Event name"
          placeholder="Event name"
          data={names}
          value={filters.name}
          onChange={(name) => setFilters({ name })}
        />
        <CustomerFilter
          value={filters.customer_id}
          onChange={(customer_id) => setFilters({ customer_id })}
        />
        <RangePicker fallback="all" />
      </Filters>
      <LiveEventList key={JSON.stringify(query)} query={query} isPaused={isPaused} />
      <EventDrawer />
    </Page>
  );
}
