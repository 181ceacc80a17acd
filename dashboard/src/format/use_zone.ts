import { useSyncExternalStore } from "react";
import { currentZone, watchZone } from "./zone.ts";

/** Returns the time zone that times are shown in. Redraws the component when it changes. */
export function useZone(): string {
  return useSyncExternalStore(watchZone, currentZone);
}
