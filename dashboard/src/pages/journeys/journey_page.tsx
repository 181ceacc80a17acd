import "./journeys.css";
import { Alert, Badge, Group, Tabs } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { Journey } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { countOf } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { DraftEditor } from "./editor/draft_editor.tsx";
import { useSaveState } from "./editor/use_editor.ts";
import { JourneyActions } from "./journey_actions.tsx";
import { JourneyState } from "./journey_state.tsx";
import { LiveView } from "./live/live_view.tsx";
import { RunDrawer } from "./live/run_drawer.tsx";
import { RunList } from "./live/run_list.tsx";
import { RehearseView } from "./rehearsal/rehearse_view.tsx";
import { VersionList } from "./versions/version_list.tsx";

const refreshMs = 10_000;

export function JourneyPage() {
  const { journeyId } = useParams({ from: "/w/$workspaceId/journeys/$journeyId" });
  const journey = useApiItem("GET /journeys/{id}", { params: { id: journeyId } }, {
    refetchInterval: refreshMs,
  });
  return <ItemView item={journey}>{(data) => <Details key={data.id} journey={data} />}</ItemView>;
}

function Details({ journey }: { journey: Journey }) {
  const { filters, setFilters } = useFilters();
  const [saveState, setSaveState] = useSaveState(journey);
  const { name, state, version, active_runs, description, problem } = journey;
  const isPublished = version !== null;
  const tab = filters.tab ?? (isPublished && state !== "draft" ? "live" : "draft");
  return (
    <Page
      title={name}
      above={<BackLink path="/journeys">Journeys</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{name}</bdi>
          <JourneyState state={state} />
          {isPublished && <Badge color="gray">Version {version}</Badge>}
        </Group>
      }
      description={
        <>
          {description && <div>{description}</div>}
          {isPublished && countOf(active_runs, "active run")}
        </>
      }
      actions={<JourneyActions journey={journey} saveState={saveState} />}
    >
      {problem !== null && <Alert color="red" mb="md">{problem}</Alert>}
      <Tabs
        value={tab}
        onChange={(value) => setFilters({ tab: value ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="draft">Draft</Tabs.Tab>
          <Tabs.Tab value="rehearse">Rehearse</Tabs.Tab>
          {isPublished && <Tabs.Tab value="live">Live</Tabs.Tab>}
          {isPublished && <Tabs.Tab value="runs">Runs</Tabs.Tab>}
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="draft">
          <DraftEditor journey={journey} report={setSaveState} />
        </Tabs.Panel>
        <Tabs.Panel value="rehearse">
          <RehearseView journey={journey} saveState={saveState} />
        </Tabs.Panel>
        <Tabs.Panel value="live">
          <LiveView journey={journey} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <RunList journey={journey} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionList journey={journey} />
        </Tabs.Panel>
      </Tabs>
      <RunDrawer isPaused={state === "paused"} />
    </Page>
  );
}
