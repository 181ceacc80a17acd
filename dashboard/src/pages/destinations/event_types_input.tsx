import { Radio, Stack, TagsInput, type TagsInputProps } from "@mantine/core";
import { useEventTypes } from "../../api/use_event_types.ts";

interface EventTypesInputProps {
  value: string[];
  onChange: (value: string[]) => void;
  error?: TagsInputProps["error"];
}

/** All events, or those chosen from the catalogue, the names seen, and patterns of one's own. */
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
          <Radio value="all" label="Everything that happens" />
          <Radio value="some" label="Only these" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <TagsInput
          aria-label="Chosen event types"
          description="Choose, or type a name or a prefix such as order_* or customer.*"
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
