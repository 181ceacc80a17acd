import "./journeys.css";
import { Alert, Group, Tabs } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useRef } from "react";
import type { Definition } from "../../api/journey_definition.ts";
import type { Journey } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { latePanel } from "../../ui/late_panel.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { useModule } from "../../ui/use_module.ts";
import { useFilters } from "../../url/use_filters.ts";
import type { DraftEditorProps } from "./editor/draft_editor.tsx";
import { DraftOutline } from "./editor/draft_outline.tsx";
import type { SaveState } from "./editor/save_state.ts";
import { type KeptHistory, useKeptHistory, useSaveState } from "./editor/use_kept_history.ts";
import { JourneyActions } from "./journey_actions.tsx";
import { JourneyState } from "./journey_state.tsx";
import { LiveView } from "./live/live_view.tsx";
import { useHasChanges } from "./publish/use_has_changes.ts";
import { UnsavedDraft } from "./unsaved_draft.tsx";

const RunDrawer = lateDialog(async () => (await import("./live/run_drawer.tsx")).RunDrawer);
const RunList = latePanel(async () => (await import("./live/run_list.tsx")).RunList);
const RehearseView = latePanel(async () =>
  (await import("./rehearsal/rehearse_view.tsx")).RehearseView
);
const VersionList = latePanel(async () =>
  (await import("./versions/version_list.tsx")).VersionList
);

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
  const kept = useKeptHistory(journey);
  const [saveState, setSaveState] = useSaveState(kept, journey);
  const draftTab = useRef<HTMLButtonElement>(null);
  const { name, state, version, problem } = journey;
  const isPublished = version !== null;
  const tab = filters.tab ?? (isPublished && state !== "draft" ? "live" : "draft");
  const openDraft = () => {
    setFilters({ tab: "draft" });
    draftTab.current?.focus();
  };
  return (
    <Page
      title={name}
      above={<BackLink path="/journeys">Journeys</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{name}</bdi>
          <JourneyState state={state} />
        </Group>
      }
      description={<Published journey={journey} saveState={saveState} />}
      actions={<JourneyActions journey={journey} saveState={saveState} openDraft={openDraft} />}
    >
      {problem !== null && <Alert color="red" mb="md">{problem}</Alert>}
      <Tabs
        value={tab}
        onChange={(value) => setFilters({ tab: value ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="draft" ref={draftTab}>Draft</Tabs.Tab>
          <Tabs.Tab value="rehearse">Rehearse</Tabs.Tab>
          {isPublished && <Tabs.Tab value="live">Live</Tabs.Tab>}
          {isPublished && <Tabs.Tab value="runs">Runs</Tabs.Tab>}
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        {tab !== "draft" && <UnsavedDraft saveState={saveState} openDraft={openDraft} />}
        <Tabs.Panel value="draft">
          <Draft journey={journey} kept={kept} report={setSaveState} />
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
          <Versions
            journey={journey}
            kept={kept}
            saveState={saveState}
            openDraft={openDraft}
          />
        </Tabs.Panel>
      </Tabs>
      <RunDrawer isOpen={filters.run !== undefined} isPaused={state === "paused"} />
    </Page>
  );
}

interface PublishedProps {
  journey: Journey;
  saveState: SaveState;
}

/** The description of a journey, then its version and whether the draft differs from it. */
function Published(props: PublishedProps) {
  const mayEdit = useMay("admin");
  const { description, version, active_runs } = props.journey;
  return (
    <>
      {description && <div>{description}</div>}
      {version !== null && (
        <div>
          Version {version} · {countOf(active_runs, "active run")}
          {mayEdit && <Unpublished {...props} />}
        </div>
      )}
    </>
  );
}

/** Says whether the draft differs from the published version; nothing until that is known. */
function Unpublished(props: PublishedProps) {
  const hasChanges = useHasChanges(props.journey, props.saveState);
  if (hasChanges === undefined) return null;
  return <>{" · "}{hasChanges ? "Unpublished changes" : "Nothing to publish"}</>;
}

/** The editor of the draft. Until it is there, its steps can be read. */
function Draft(props: DraftEditorProps) {
  const editor = useModule("draft_editor", () => import("./editor/draft_editor.tsx"));
  if (editor) return <editor.DraftEditor {...props} />;
  return <DraftOutline definition={props.kept.open().present} />;
}

interface VersionsProps {
  journey: Journey;
  kept: KeptHistory;
  saveState: SaveState;
  openDraft: () => void;
}

/** The versions, of which each can be restored into the draft. */
function Versions({ journey, kept, saveState, openDraft }: VersionsProps) {
  const mayEdit = useMay("admin");
  const draft = mayEdit
    ? {
      definition: kept.open().present,
      isSaving: saveState === "saving",
      isUnsaved: !["saved", "saving"].includes(saveState),
      replace: (definition: Definition) => {
        kept.replace(definition);
        openDraft();
      },
    }
    : undefined;
  return <VersionList journey={journey} draft={draft} />;
}
