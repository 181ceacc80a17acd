import { useState } from "react";
import { findPath, type Passage } from "./find_path.ts";
import type { Flow } from "./picture.ts";

/** The paths of a flow that stand out: below the mouse or at the focus, or else the chosen ones. */
export function usePassage(flow: Flow | undefined) {
  const [passing, setPassing] = useState<Passage>();
  const [chosen, setChosen] = useState<string>();
  const passage = passing ?? (chosen === undefined ? undefined : { from: chosen, to: chosen });
  const path = flow && passage && findPath(flow, passage);
  return {
    /** Indexes of streams; undefined while none stand out. */
    path: path && path.size > 0 ? path : undefined,
    setPassing,
    /** Key of the place that was chosen. */
    chosen,
    choose: (key: string) => setChosen(key === chosen ? undefined : key),
  };
}

export type ShownPassage = ReturnType<typeof usePassage>;
