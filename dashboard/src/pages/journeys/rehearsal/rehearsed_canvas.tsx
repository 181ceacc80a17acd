import { Paper } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useMemo, useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Rehearsal } from "../../../api/types.ts";
import { lateDialog } from "../../../ui/late_dialog.tsx";
import { useModule } from "../../../ui/use_module.ts";
import { LoadingCanvas } from "../canvas/loading_canvas.tsx";
import { readFigures } from "../model/figures.ts";
import { useNames } from "../use_names.ts";
import { StepPanel } from "./step_panel.tsx";

const PhonePanel = lateDialog(async () => (await import("../editor/phone_panel.tsx")).PhonePanel);

/** Width from which the panel stands beside the steps. */
const wide = "(min-width: 62em)";

/** The canvas of a rehearsal with its figures, and a panel for the step that is open. */
export function RehearsedCanvas({ result }: { result: Rehearsal }) {
  const definition = result.definition as Definition;
  const isWide = useMediaQuery(wide, matchMedia(wide).matches);
  const { selected, asked, select, close } = useOpenStep(isWide);
  const { nameOf } = useNames();
  const loaded = useModule("journey_canvas", () => import("../canvas/journey_canvas.tsx"));
  const figures = useMemo(() => readFigures(definition, result), [definition, result]);
  const panel = selected !== undefined && (
    <StepPanel
      key={selected}
      {...{ part: selected, result, nameOf, asked, close }}
    />
  );
  return (
    <div className={panel && isWide ? "editor with-panel" : "editor"}>
      <div className="editor-main">
        {loaded
          ? (
            <loaded.JourneyCanvas
              definition={definition}
              nameOf={nameOf}
              selected={selected}
              onSelect={select}
              figures={figures}
            />
          )
          : <LoadingCanvas />}
      </div>
      {isWide && panel && (
        <Paper p="md" className="side-panel" component="aside" aria-label="Details">{panel}</Paper>
      )}
      {!isWide && <PhonePanel isOpen={selected !== undefined} close={close}>{panel}</PhonePanel>}
    </div>
  );
}

/** The step that is open. Arrows move between steps, and open them only beside the canvas. */
function useOpenStep(isWide: boolean) {
  const [selected, setSelected] = useState<string>();
  const [asked, setAsked] = useState(0);
  const select = useCallback((part: string | undefined, isQuiet = false) => {
    if (isQuiet && !isWide) return;
    setAsked((count) => isQuiet || part === undefined ? 0 : count + 1);
    setSelected(part);
  }, [isWide]);
  const close = () => {
    setSelected(undefined);
    const part = CSS.escape(selected ?? "");
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${part}"]`)?.focus({ preventScroll: true })
    );
  };
  return { selected, asked, select, close };
}
