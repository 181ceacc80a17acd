import { Anchor, Badge, Button, Checkbox, Group } from "@mantine/core";
import { PauseIcon, PlayIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { FilterBar } from "../../conditions/filter_bar.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Filters } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { Page } from "../../ui/page.tsx";
import { EventTabs } from "../../ui/section_tabs.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { CustomerFilter } from "./customer_filter.tsx";
import { EventNameFilter } from "./event_name_filter.tsx";
import { LiveEventList } from "./live_event_list.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";

const EventDrawer = lateDialog(async () => (await import("./event_drawer.tsx")).EventDrawer);

const liveStates = {
  paused: { label: "Paused", color: "gray" },
  broken: { label: "Reconnecting", color: "orange" },
  listening: { label: "Listening", color: "green" },
} as const;

/** The value in the address that leaves built-in events out. */
const hidden = "false";

export function EventsPage() {
  const { filters } = useFilters();
  const [isPaused, { toggle }] = useDisclosure();
  const { since, until } = useOptionalRange();
  const { name, customer_id, filter } = filters;
  const service = filters.service === hidden ? false as const : undefined;
  const query = { name, service, customer_id, filter, since, until };
  const [isBroken, setBroken] = useState(false);
  const isLive = until === undefined;
  const live = isPaused ? liveStates.paused : isBroken ? liveStates.broken : liveStates.listening;
  return (
    <Page
      above={<EventTabs />}
      title="Live events"
      heading={
        <Group gap="sm">
          <span>Live events</span>
          {isLive && (
            <Badge
              color={live.color}
              leftSection={<span className={isPaused || isBroken ? "pulse-off" : "pulse"} />}
            >
              {live.label}
            </Badge>
          )}
        </Group>
      }
      description={<Description />}
      actions={
        <>
          {isLive && <PauseButton isPaused={isPaused} toggle={toggle} />}
          <ViewsMenu list="events" />
          <ExportMenu route="GET /events/export" input={{ query }} />
        </>
      }
    >
      <EventFilters />
      <LiveEventList
        key={JSON.stringify(query)}
        query={query}
        isPaused={isPaused}
        setBroken={setBroken}
      />
      <EventDrawer isOpen={filters.event !== undefined} />
    </Page>
  );
}

/** The filters of the list, which the page's address keeps. */
function EventFilters() {
  const { filters, setFilters } = useFilters();
  const { name, service, customer_id, filter } = filters;
  return (
    <Filters>
      <EventNameFilter />
      <CustomerFilter
        placeholder="Any customer"
        value={customer_id}
        onChange={(customer_id) => setFilters({ customer_id })}
      />
      <RangePicker fallback="all" />
      <Checkbox
        label="Hide Signalpost’s built-in events"
        style={{ alignSelf: "center" }}
        checked={service === hidden}
        onChange={({ currentTarget }) =>
          setFilters({ service: currentTarget.checked ? hidden : undefined })}
      />
      <FilterBar
        subject="events"
        event={name}
        value={filter}
        onChange={(filter) => setFilters({ filter })}
      />
    </Filters>
  );
}

function Description() {
  const { id } = useWorkspace();
  return (
    <>
      Events from your apps and servers, as they arrive. Missing one?{" "}
      <Anchor {...linkTo(`/w/${id}/rejected`)} inherit>See rejected entries</Anchor>
    </>
  );
}

function PauseButton({ isPaused, toggle }: { isPaused: boolean; toggle: () => void }) {
  return (
    <Button
      variant="default"
      leftSection={isPaused ? <PlayIcon /> : <PauseIcon />}
      onClick={toggle}
    >
      {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}
