import { useModule } from "../ui/use_module.ts";
import type { CheckedDraft } from "./check_draft.ts";

type Check = typeof import("./check_draft.ts").checkDraft;

const unchecked: CheckedDraft = { condition: undefined, faults: [] };

const checkLater: Check = () => unchecked;

/** Returns the api's own check of drafts. It is large: until it is there, nothing is found. */
export function useCheck(): Check {
  const loaded = useModule("check_draft", () => import("./check_draft.ts"));
  return loaded?.checkDraft ?? checkLater;
}
