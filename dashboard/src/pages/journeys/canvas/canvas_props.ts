import type { Definition } from "../../../api/journey_definition.ts";
import type { Simulation } from "../../../api/types.ts";
import type { NameOf } from "../model/name_of.ts";
import type { Problem } from "../model/problems.ts";
import type { Slot } from "../model/slots.ts";

/** Figures of the trigger, steps and ways of a journey, as short texts. */
export interface CanvasFigures {
  /** By step; that of the trigger under `entryPart`. */
  steps: ReadonlyMap<string, string>;
  /** By edge: see `edgeId`. */
  ways: ReadonlyMap<string, string>;
  /** Problems by step; empty without one. */
  troubles: ReadonlyMap<string, string>;
}

export interface JourneyCanvasProps {
  definition: Definition;
  nameOf: NameOf;
  selected: string | undefined;
  /** @param isQuiet true if the focus is to stay on the canvas */
  onSelect: (part: string | undefined, isQuiet?: boolean) => void;
  marked?: ReadonlySet<string>;
  problems?: ReadonlyMap<string, readonly Problem[]>;
  /** Path of a simulation, which is drawn stronger. */
  path?: Simulation["path"] | undefined;
  figures?: CanvasFigures | undefined;
  /** Adds a step into a way. Leave out for a canvas that only shows. */
  onAdd?: ((slot: Slot) => void) | undefined;
  /** Makes the canvas only as high as its steps need. */
  isCompact?: boolean;
}
