import type { Source } from "../../api/types.ts";

export interface SourceDialogProps {
  source: Source;
  isOpen: boolean;
  close: () => void;
}
