import {
  engagementEvents,
  serviceEvents,
} from "../../../supabase/functions/api/contract/service_events.ts";

/** Events about its own messages that the service stores, and that a journey can wait for. */
export const engagements: string[] = [...engagementEvents];

/** Returns whether the service stores events of this name itself. */
export function isServiceEvent(name: string | null): boolean {
  return name !== null && serviceEvents.includes(name);
}
