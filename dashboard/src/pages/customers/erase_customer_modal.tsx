import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import type { Customer } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { customerName } from "../../api/customer_name.ts";

interface EraseCustomerModalProps {
  customer: Customer;
  isOpen: boolean;
  close: () => void;
}

export function EraseCustomerModal({ customer, isOpen, close }: EraseCustomerModalProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const erase = useApiAction("DELETE /customers/{id}", () => ({ params: { id: customer.id } }));
  const typed = customer.external_id ?? customer.anon_ids[0] ?? customer.id;
  const confirm = () =>
    erase.mutate(undefined, {
      onSuccess: () => {
        notifications.show({ message: `${customerName(customer)} erased`, color: "teal" });
        void navigate({ to: "/w/$workspaceId/customers", params: { workspaceId } });
      },
    });
  return (
    <ConfirmModal
      isOpen={isOpen}
      close={close}
      title="Erase this customer?"
      confirmLabel="Erase permanently"
      typed={{
        label: `Type ${typed} to confirm`,
        value: typed,
      }}
      action={erase}
      onConfirm={confirm}
    >
      <Text size="sm">
        Deletes the profile, IDs, device tokens, events and message bodies of{" "}
        <b dir="auto">{customerName(customer)}</b>. This can’t be undone.
      </Text>
    </ConfirmModal>
  );
}
