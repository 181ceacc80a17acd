import { Badge, Button, Text } from "@mantine/core";
import { KeyIcon, PlusIcon } from "@primer/octicons-react";
import { type ReactNode, useMemo, useState } from "react";
import { useMay } from "../../api/workspace.ts";
import type { ApiKey } from "../../api/types.ts";
import { useApiAction, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { RoleGate } from "../../ui/role_gate.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { Tags } from "../../ui/tags.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";

const NewKeyModal = lateDialog(async () => (await import("./new_key_modal.tsx")).NewKeyModal);

export function ApiKeysPage() {
  const [isCreating, { open, close }] = useDraftDialog("api-key:new");
  const create = <Button leftSection={<PlusIcon />} onClick={open}>New key</Button>;
  return (
    <Page
      title="API keys"
      description="Keys for servers and apps, limited to the scopes you choose."
      actions={useMay("admin") && create}
    >
      <RoleGate role="admin" action="manage API keys">
        <KeyTable create={create} />
        <NewKeyModal isOpen={isCreating} close={close} />
      </RoleGate>
    </Page>
  );
}

function KeyTable({ create }: { create: ReactNode }) {
  const keys = useApiList("GET /api-keys", {});
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns = useMemo(() => makeColumns(setRevoked), []);
  return (
    <>
      <ListTable
        label="API keys"
        list={keys}
        columns={columns}
        empty={
          <EmptyState icon={KeyIcon} title="No keys yet" action={create}>
            Create a key with the scope “Send events” to send your first event.
          </EmptyState>
        }
      />
      <RevokeKeyModal apiKey={revoked} close={() => setRevoked(null)} />
    </>
  );
}

function makeColumns(revoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      label: "Key",
      cell: ({ name, last_four }) => (
        <div>
          <Text size="sm" fw={550} className="break-anywhere">{name}</Text>
          <Text size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: "nowrap" }}>
            pk_…{last_four}
          </Text>
        </div>
      ),
    },
    {
      label: "Scopes",
      visibleFrom: "md",
      cell: ({ scopes }) => <Tags values={scopes} />,
    },
    { label: "Status", cell: (key) => <KeyState apiKey={key} /> },
    { label: "Last used", visibleFrom: "sm", cell: (key) => <TimeAgo time={key.last_used_at} /> },
    { label: "Created", visibleFrom: "xl", cell: (key) => <TimeAgo time={key.created_at} /> },
    {
      label: "Actions",
      align: "right",
      cell: (key) =>
        key.revoked_at === null && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`Revoke ${key.name}`}
            onClick={() => revoke(key)}
          >
            Revoke
          </Button>
        ),
    },
  ];
}

export function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at) return <Badge color="red">Revoked</Badge>;
  if (expires_at && new Date(expires_at) <= new Date()) return <Badge color="gray">Expired</Badge>;
  return (
    <>
      <Badge color="green">Active</Badge>
      {expires_at && (
        <Text size="xs" c="dimmed" component="div">
          Expires <TimeAgo time={expires_at} />
        </Text>
      )}
    </>
  );
}

interface RevokeKeyModalProps {
  apiKey: ApiKey | null;
  close: () => void;
}

export function RevokeKeyModal({ apiKey, close }: RevokeKeyModalProps) {
  const revoke = useApiAction(
    "DELETE /api-keys/{id}",
    () => ({ params: { id: apiKey?.id ?? "" } }),
    { onSuccess: close },
  );
  return (
    <ConfirmModal
      isOpen={apiKey !== null}
      close={close}
      title="Revoke this key?"
      confirmLabel="Revoke key"
      action={revoke}
      onConfirm={() => revoke.mutate()}
    >
      <Text size="sm">
        Requests with <b dir="auto">{apiKey?.name}</b>{" "}
        (…{apiKey?.last_four}) are refused within ten seconds. This can’t be undone.
      </Text>
    </ConfirmModal>
  );
}
