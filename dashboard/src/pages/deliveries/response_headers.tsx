import { Group, Title } from "@mantine/core";
import type { Delivery } from "../../api/types.ts";
import { CopyIcon } from "../../ui/id_text.tsx";
import { HeaderTable } from "./header_table.tsx";

/** The headers of the destination's response, by name; nothing if none are stored. */
export function ResponseHeaders({ delivery }: { delivery: Delivery }) {
  const headers = Object.entries(delivery.response_headers ?? {})
    .sort(([a], [b]) => a < b ? -1 : 1);
  if (headers.length === 0) return null;
  const text = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  return (
    <div>
      <Group gap={4} mb="xs">
        <Title order={3} size="h6">Headers</Title>
        <CopyIcon value={text} label="response headers" />
      </Group>
      <HeaderTable label="Response headers" headers={headers} />
    </div>
  );
}
