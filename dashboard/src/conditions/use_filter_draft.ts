import { useDraftState } from "../api/use_draft.ts";
import { useCloseGuard } from "../ui/close_guard.tsx";
import { useDraftDialog } from "../ui/use_draft_dialog.ts";
import type { Subject } from "./use_preview.ts";

export type FilterDraft = ReturnType<typeof useFilterDraft>;

/** The condition while it is edited, and the drawer around it. */
export function useFilterDraft(subject: Subject, condition: unknown) {
  const name = `filter:${subject}`;
  const [isOpen, { open, close }] = useDraftDialog(name);
  const [value, setValue, draft] = useDraftState<unknown>(name, condition ?? null);
  return { isOpen, open, close, value, setValue, draft, ...useCloseGuard(draft, close) };
}
