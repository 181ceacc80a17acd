import type { Definition } from "../../../api/journey_definition.ts";

/**
 * State of the draft: stored by the api, about to be, refused by the checks, failed, or changed by
 * somebody else since it was read.
 */
export type SaveState = "saved" | "saving" | "invalid" | "failed" | "conflict";

/** Changes that the api has not taken yet. */
export interface UnsavedChanges {
  definition: Definition;
  /** Revision of the draft that they change. */
  revision: string;
}
