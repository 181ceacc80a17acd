import { Radio, Stack, TagsInput, type TagsInputProps } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import type { EventTypes } from "../../api/types.ts";

interface EventTypesInputProps {
  value: string[];
  onChange: (value: string[]) => void;
  error?: TagsInputProps["error"];
}

/** All events, or those chosen from the catalogue, the names seen, and patterns of one's own. */
export function EventTypesInput({ value, onChange, error }: EventTypesInputProps) {
  const { data } = useApiItem("GET /event-types", { query: { limit: 200 } });
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
          data={groupTypes(data)}
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

function groupTypes(types: EventTypes | undefined) {
  const seen = types?.data.map(({ name }) => name) ?? [];
  const catalogue = types?.service.map(({ type }) => type).filter((type) => type !== "ping") ?? [];
  return [
    { group: "Names seen in this workspace", items: seen },
    { group: "Events of the service", items: catalogue },
  ].filter(({ items }) => items.length > 0);
}
