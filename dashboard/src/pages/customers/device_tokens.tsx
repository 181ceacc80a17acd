import { ActionIcon, Badge, Paper, Table, Text } from "@mantine/core";
import { DeviceMobileIcon, TrashIcon } from "@primer/octicons-react";
import { useState } from "react";
import { listRows, useApiAction, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { useMay } from "../../api/workspace.ts";
import { Tooltip } from "../../ui/overlays.tsx";

export function DeviceTokens({ customerId }: { customerId: string }) {
  const params = { id: customerId };
  const tokens = useApiList("GET /customers/{id}/device-tokens", { params });
  const remove = useApiAction(
    "DELETE /customers/{id}/device-tokens",
    (token: string) => ({ params, query: { token } }),
    { onSuccess: () => setRemoved(null) },
  );
  const [removed, setRemoved] = useState<string | null>(null);
  const mayEdit = useMay("member");
  if (tokens.isPending) return <TableSkeleton columns={3} />;
  if (tokens.isError) return <ErrorState error={tokens.error} retry={tokens.refetch} />;
  const rows = listRows(tokens);
  if (rows.length === 0) {
    return (
      <Paper>
        <EmptyState icon={DeviceMobileIcon} title="No devices">
          Register push tokens with POST /track/devices. They stay with the customer after merges.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper>
      <Table aria-label="Devices" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Token</Table.Th>
            <Table.Th>Platform</Table.Th>
            <Table.Th>Updated</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ token, platform, updated_at }) => (
            <Table.Tr key={token}>
              <Table.Td>
                <Text size="xs" ff="monospace" className="break-anywhere">{token}</Text>
              </Table.Td>
              <Table.Td>
                <Badge color="gray">{platform}</Badge>
              </Table.Td>
              <Table.Td>
                <TimeAgo time={updated_at} />
              </Table.Td>
              <Table.Td ta="right">
                {mayEdit && <RemoveButton token={token} remove={() => setRemoved(token)} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmModal
        isOpen={removed !== null}
        close={() => setRemoved(null)}
        title="Remove this device?"
        confirmLabel="Remove"
        action={remove}
        onConfirm={() => removed !== null && remove.mutate(removed)}
      >
        <Text size="sm" className="break-anywhere">
          Removes the token <b>{removed}</b> until the app registers it again.
        </Text>
      </ConfirmModal>
    </Paper>
  );
}

function RemoveButton({ token, remove }: { token: string; remove: () => void }) {
  return (
    <Tooltip label="Remove">
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={`Remove token ${token}`}
        onClick={remove}
      >
        <TrashIcon />
      </ActionIcon>
    </Tooltip>
  );
}
