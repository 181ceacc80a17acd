import { Text } from "@mantine/core";
import type { ApiKey } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../components/confirm_modal.tsx";

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
      confirmLabel="Revoke"
      action={revoke}
      onConfirm={() => revoke.mutate()}
    >
      <Text size="sm">
        Whoever uses <b>{apiKey?.name}</b>{" "}
        (…{apiKey?.last_four}) is refused within ten seconds. A revoked key cannot be brought back.
      </Text>
    </ConfirmModal>
  );
}
