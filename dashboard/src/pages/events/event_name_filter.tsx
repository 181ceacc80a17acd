import { useEventTypes } from "../../api/use_event_types.ts";
import { SuggestInput } from "../../ui/filters.tsx";
import { useFilters } from "../../url/use_filters.ts";

/** Filters a list by the name of its events, which the page's address keeps. */
export function EventNameFilter() {
  const { filters: { name }, setFilters } = useFilters();
  const names = useEventTypes().seen;
  return (
    <SuggestInput
      aria-label="Event name"
      placeholder="Event name"
      data={names}
      value={name}
      onChange={(name) => setFilters({ name })}
    />
  );
}
