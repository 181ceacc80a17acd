import { Code, Stack, Table, Text, Title } from "@mantine/core";
import type { DeliveryDetail } from "../../api/types.ts";
import { prettyJson } from "../../format/pretty_json.ts";
import { CodeView } from "../../ui/code_view.tsx";

interface SentRequestProps {
  delivery: DeliveryDetail;
  /** The endpoint URL of today; undefined without a destination. */
  url: string | undefined;
}

/** The request as it was sent, to the destination's URL of today: headers and exact body. */
export function SentRequest({ delivery, url }: SentRequestProps) {
  const { message } = delivery;
  return (
    <Stack>
      {url && <Code block className="break-anywhere">POST {url}</Code>}
      <div>
        <Title order={3} size="h6" mb="xs">Headers</Title>
        <Table aria-label="Request headers" layout="fixed" verticalSpacing={6}>
          <Table.Tbody>
            {headersOf(delivery).map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w={190} ff="monospace" fw={500}>{name}</Table.Th>
                <Table.Td>
                  <Text size="xs" ff="monospace" className="break-anywhere">{value}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed" mt="xs">
          Signatures are generated for each attempt and not stored.
        </Text>
      </div>
      <div>
        <Title order={3} size="h6" mb="xs">Body</Title>
        {message?.body
          ? <CodeView code={prettyJson(message.body)} language="json" label="Request body" />
          : (
            <Text size="sm" c="dimmed">
              {message ? "The body was erased with its customer." : "The body is no longer kept."}
            </Text>
          )}
      </div>
    </Stack>
  );
}

function headersOf(delivery: DeliveryDetail): [name: string, value: string][] {
  const seconds = Math.floor(Date.parse(delivery.attempted_at) / 1000);
  return [
    ["content-type", "application/json"],
    ["x-service-event", delivery.event_type],
    ["x-service-signature", "hex HMAC-SHA256 of the body"],
    ["webhook-id", delivery.message_id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", "v1,… for each live secret"],
  ];
}
