import { Badge, Text } from "@mantine/core";
import type { ApiKey } from "../../api/types.ts";
import { TimeAgo } from "../../components/time_ago.tsx";

export function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at) return <Badge color="red">Revoked</Badge>;
  if (expires_at && new Date(expires_at) <= new Date()) return <Badge color="gray">Expired</Badge>;
  return (
    <>
      <Badge color="green">Active</Badge>
      {expires_at && (
        <Text size="xs" c="dimmed" component="div">
          expires <TimeAgo time={expires_at} />
        </Text>
      )}
    </>
  );
}
