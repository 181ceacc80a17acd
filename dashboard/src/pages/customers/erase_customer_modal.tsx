import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Customer } from "../../api/types.ts";
import { forgetPages } from "../../api/recent_pages.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { useReturn } from "../../ui/use_list_before.ts";
import { useRecentOwner } from "../../ui/use_recent_page.ts";
import { customerName } from "../../api/customer_name.ts";

interface EraseCustomerModalProps {
  customer: Customer;
  isOpen: boolean;
  close: () => void;
}

export function EraseCustomerModal({ customer, isOpen, close }: EraseCustomerModalProps) {
  const goBack = useReturn("/customers");
  const owner = useRecentOwner();
  const erase = useApiAction("DELETE /customers/{id}", () => ({ params: { id: customer.id } }));
  const typed = customer.external_id ?? customer.anon_ids[0] ?? customer.id;
  const confirm = () =>
    erase.mutate(undefined, {
      onSuccess: () => {
        if (owner) forgetPages(owner, `/customers/${customer.id}`);
        notifications.show({ message: `${customerName(customer)} erased`, color: "teal" });
        goBack();
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
