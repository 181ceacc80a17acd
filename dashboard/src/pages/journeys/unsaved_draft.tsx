import { Alert } from "@mantine/core";
import type { SaveState } from "./editor/save_state.ts";

const texts: Readonly<Partial<Record<SaveState, string>>> = {
  invalid: "Your last changes are kept in this tab only. Open the draft and fix its problems.",
  failed: "Your last changes could not be saved. Open the draft and try again.",
  conflict: "Somebody else has changed the draft. Open it and choose which one to keep.",
};

/** Says why the saved draft is not what was typed last. */
export function UnsavedDraft({ saveState }: { saveState: SaveState }) {
  const text = texts[saveState];
  return text && <Alert color="yellow" title="The draft is not saved">{text}</Alert>;
}
