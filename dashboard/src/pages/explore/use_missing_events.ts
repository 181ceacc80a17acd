import { useEventTypes } from "../../api/use_event_types.ts";
import { type Address, readEvents } from "./question.ts";

/** Most names that a workspace lists; events of further names exist too. */
const mostListed = 1000;

/** Names of events of a question that the workspace does not have, or no longer; none until known. */
export function useMissingEvents(address: Address): string[] {
  const { seen, isRead } = useEventTypes();
  if (!isRead || seen.length >= mostListed) return [];
  const names = new Set(readEvents(address).map(({ event }) => event));
  return [...names].filter((name) => name !== "" && !seen.includes(name));
}
