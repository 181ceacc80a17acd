import type { Destination } from "../../api/types.ts";

export interface DestinationDialogProps {
  destination: Destination;
  isOpen: boolean;
  close: () => void;
}
