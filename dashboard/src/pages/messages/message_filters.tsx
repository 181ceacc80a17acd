import { TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { MessageState } from "../../../../supabase/functions/api/contract/messages.ts";
import { useReadList } from "../../api/use_api.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { FilterMultiSelect } from "../../ui/filter_multi_select.tsx";
import { FilterSelect } from "../../ui/filter_select.tsx";
import { Filters, SuggestInput } from "../../ui/filters.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { stateLabels } from "./describe_state.ts";

/** The list that the page's address asks for, and whether that is a part of all messages. */
export function useMessageQuery() {
  const { destination_id, customer_id, event_type, state } = useFilters().filters;
  const { since, until } = useOptionalRange();
  const states = readStates(state).join(",") || undefined;
  const query = { destination_id, customer_id, event_type, state: states, since, until };
  return { query, isFiltered: Object.values(query).some((value) => value !== undefined) };
}

/** The filters of the list. */
export function MessageFilters() {
  const { filters, setFilters } = useFilters();
  const destinations = useReadList("GET /destinations", {});
  const types = useEventTypes();
  return (
    <Filters>
      <FilterMultiSelect
        label="State"
        labels={stateLabels}
        value={readStates(filters.state)}
        onChange={(states) => setFilters({ state: states.join(",") || undefined })}
      />
      <CustomerFilter
        placeholder="Any customer"
        value={filters.customer_id}
        onChange={(value) => setFilters({ customer_id: value })}
      />
      <FilterSelect
        label="Destination"
        list={destinations}
        value={filters.destination_id}
        onChange={(value) => setFilters({ destination_id: value })}
      />
      <SuggestInput
        aria-label="Event type"
        placeholder="Event type"
        value={filters.event_type}
        onChange={(value) => setFilters({ event_type: value })}
        data={[...new Set([...types.seen, ...types.service])]}
      />
      <RangePicker fallback="all" />
      <MessageIdInput />
    </Filters>
  );
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens the message of an ID that is typed or pasted. */
function MessageIdInput() {
  const { setFilters } = useFilters();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const isWhole = (typed: string) => uuid.test(typed.trim());
  const open = (typed: string) => setFilters({ message: typed.trim().toLowerCase() });
  return (
    <TextInput
      aria-label="Message ID"
      placeholder="Message ID"
      leftSection={<SearchIcon />}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        setWrong(false);
        if (isWhole(value)) open(value);
      }}
      onKeyDown={({ key }) => {
        if (key !== "Enter" || text === "") return;
        if (isWhole(text)) open(text);
        else setWrong(true);
      }}
      error={isWrong && "Must be a whole ID"}
    />
  );
}

/** The states that exist among those in the address. */
function readStates(text = ""): MessageState[] {
  return text.split(",").filter((state): state is MessageState =>
    Object.hasOwn(stateLabels, state)
  );
}
