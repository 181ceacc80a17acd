import { Text } from "@mantine/core";
import type { Source } from "../../api/types.ts";
import { IdText } from "../../components/id_text.tsx";
import { useServices } from "../../services.ts";

/** Where the sender sends to. */
export function SourceAddress({ source }: { source: Pick<Source, "path"> }) {
  const { config } = useServices();
  return (
    <>
      <Text size="sm" fw={550}>Address to give to the sender</Text>
      <IdText value={`${config.baseUrl}${source.path}`} label="the address" />
    </>
  );
}
