import { Radio, Stack, type TagsInputProps } from "@mantine/core";
import { useEventTypes } from "../../api/use_event_types.ts";
import { TagsInput } from "../../ui/overlays.tsx";

interface EventTypesInputProps {
  value: string[];
  onChange: (value: string[]) => void;
  error?: TagsInputProps["error"];
}

/** Chooses all events, or some by type, name or pattern. */
export function EventTypesInput({ value, onChange, error }: EventTypesInputProps) {
  const types = useEventTypes();
  const isAll = value.includes("*");
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Event types"
        value={isAll ? "all" : "some"}
        onChange={(choice) => onChange(choice === "all" ? ["*"] : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All events" />
          <Radio value="some" label="Selected events" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <TagsInput
          aria-label="Selected event types"
          description="Choose events, or enter a name or a prefix such as order_* or customer.*"
          placeholder={value.length === 0 ? "order_created" : ""}
          data={groupTypes(types)}
          value={value}
          onChange={onChange}
          error={error}
          maxDropdownHeight={260}
          clearable
        />
      )}
    </Stack>
  );
}

function groupTypes({ seen, service }: ReturnType<typeof useEventTypes>) {
  return [
    { group: "Events seen in this workspace", items: seen },
    { group: "Service events", items: service.filter((type) => type !== "ping") },
  ].filter(({ items }) => items.length > 0);
}
