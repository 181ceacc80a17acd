import type { Journey } from "../../../api/types.ts";
import type { SaveState } from "../editor/save_state.ts";
import { useNames } from "../use_names.ts";
import { useIsUnchanged } from "./use_is_unchanged.ts";

/** Returns whether there is something to publish; undefined until that is known. */
export function useHasChanges(journey: Journey, saveState: SaveState): boolean | undefined {
  const { lists, isRead } = useNames();
  const isUnchanged = useIsUnchanged(journey, lists);
  if (saveState !== "saved" || journey.version === null) return true;
  // Before the names are read, a draft that has keys differs from a version that has ids.
  return isRead && isUnchanged !== undefined ? !isUnchanged : undefined;
}
