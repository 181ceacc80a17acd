import { Paper, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useDeferredValue, useMemo, useState } from "react";
import type { Journey, Simulation } from "../../../api/types.ts";
import { DraftNotice } from "../../../ui/draft_notice.tsx";
import { lateDialog } from "../../../ui/late_dialog.tsx";
import { useModule } from "../../../ui/use_module.ts";
import { TestPanel } from "../simulation/test_panel.tsx";
import { AddStepModal } from "./add_step_modal.tsx";
import { DraftConflict } from "./draft_conflict.tsx";
import { FollowedDraft } from "./followed_draft.tsx";
import { DraftOutline } from "./draft_outline.tsx";
import { JsonEditor } from "./json_editor.tsx";
import { SidePanel } from "./side_panel.tsx";
import { StepList } from "./step_list.tsx";
import { Toolbar, type View } from "./toolbar.tsx";
import type { SaveState } from "./save_state.ts";
import { type Editor, EditorProvider, useEditor, useNewEditor } from "./use_editor.ts";
import { useEditorKeys } from "./use_editor_keys.ts";
import type { KeptHistory } from "./use_kept_history.ts";

const PhonePanel = lateDialog(async () => (await import("./phone_panel.tsx")).PhonePanel);

/** Width from which the panel stands beside the steps. */
const wide = "(min-width: 62em)";

export interface DraftEditorProps {
  journey: Journey;
  kept: KeptHistory;
  /** Called with each new state of the draft, also after the editor has closed. */
  report: (state: SaveState) => void;
}

/** Edits the draft of a journey, as a canvas, a list or JSON. */
export function DraftEditor(props: DraftEditorProps) {
  const editor = useNewEditor(props);
  return (
    <EditorProvider value={editor}>
      <DraftViews editor={editor} />
    </EditorProvider>
  );
}

function DraftViews({ editor }: { editor: Editor }) {
  const isWide = useMediaQuery(wide, matchMedia(wide).matches);
  const [chosen, setView] = useState<View>();
  const [isTesting, setTesting] = useState(false);
  const [tested, setTested] = useState<Simulation>();
  const view = chosen ?? (isWide ? "canvas" : "list");
  const keys = useEditorKeys(editor);
  const hasPanel = isTesting || editor.selected !== undefined;
  // On a narrow screen the panel covers all else.
  const isCovered = hasPanel && !isWide;
  const closePanel = () => isTesting ? setTesting(false) : editor.close();
  const panel = isTesting
    ? <TestPanel tested={tested} setTested={setTested} close={() => setTesting(false)} />
    : <SidePanel />;
  return (
    <div {...keys}>
      {editor.discard && <DraftNotice draft={{ isRestored: true, discard: editor.discard }} />}
      {!isCovered && <Notices />}
      <Toolbar
        view={view}
        setView={setView}
        isTesting={isTesting}
        toggleTest={() => setTesting(!isTesting)}
      />
      <div className={hasPanel && isWide ? "editor with-panel" : "editor"}>
        <div className="editor-main">
          {view === "canvas" && <EditedCanvas tested={isTesting ? tested : undefined} />}
          {view === "list" && <StepList />}
          {view === "json" && <JsonEditor />}
        </div>
        {isWide && hasPanel && (
          <Paper p="md" className="side-panel" component="aside" aria-label="Details">
            {panel}
          </Paper>
        )}
      </div>
      {!isWide && (
        <PhonePanel isOpen={hasPanel} close={closePanel}>
          <Notices />
          {panel}
        </PhonePanel>
      )}
      <AddStepModal />
    </div>
  );
}

/** Notices of what others have done to the draft. */
function Notices() {
  return (
    <>
      <DraftConflict />
      <FollowedDraft />
    </>
  );
}

/** The canvas. Its library loads when the first one is shown. */
function EditedCanvas({ tested }: { tested: Simulation | undefined }) {
  const { definition, selected, select, marked, problems, nameOf, isReadOnly, add } = useEditor();
  const shown = useMemo(
    () => ({ definition, selected, marked, problems }),
    [definition, selected, marked, problems],
  );
  // The fields come first: laying out a long journey takes longer than a frame.
  const drawn = useDeferredValue(shown);
  const loaded = useModule("journey_canvas", () => import("../canvas/journey_canvas.tsx"));
  if (!loaded) return <DraftOutline definition={definition} />;
  return (
    <Stack gap="xs">
      <loaded.JourneyCanvas
        {...drawn}
        nameOf={nameOf}
        onSelect={select}
        path={tested?.path}
        onAdd={isReadOnly ? undefined : add}
      />
    </Stack>
  );
}
