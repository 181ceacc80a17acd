import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ConfirmModal } from "./confirm_modal.tsx";
import type { DialogProps } from "./form_modal.tsx";

interface DeleteModalProps extends DialogProps {
  /** Kind of the resource, such as "destination". */
  noun: string;
  /** Name of the resource, which the user types to confirm. */
  name: string;
  action: { isPending: boolean; error: Error | null; mutate: () => void };
  /** Says what the deletion means. */
  children: ReactNode;
}

/** Deletes a resource once its name has been typed. */
export function DeleteModal({ noun, name, action, children, ...dialog }: DeleteModalProps) {
  return (
    <ConfirmModal
      {...dialog}
      title={`Delete this ${noun}?`}
      confirmLabel={`Delete ${noun}`}
      typed={{ label: "Type its name to confirm", value: name }}
      action={action}
      onConfirm={() => action.mutate()}
    >
      <Text size="sm">{children}</Text>
    </ConfirmModal>
  );
}
