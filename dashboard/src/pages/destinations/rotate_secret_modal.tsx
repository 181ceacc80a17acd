import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import type { DestinationDialogProps } from "./dialog_props.ts";

const OVERLAPS = [
  { value: "0", label: "None: the old secret stops working at once" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
];

export function RotateSecretModal({ destination, isOpen, close }: DestinationDialogProps) {
  const [hours, setHours] = useState("24");
  const rotate = useApiAction(
    "POST /destinations/{id}/rotate-secret",
    () => ({ params: { id: destination.id }, body: { overlap_seconds: Number(hours) * 3600 } }),
  );
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={rotate.reset}
      title="Rotate the signing secret"
      size="lg"
    >
      {rotate.data
        ? (
          <Stack>
            <SecretPanel title="New signing secret" secret={rotate.data.secret} />
            <Text size="sm">
              {hours === "0"
                ? "The old secret is no longer used."
                : "Until the overlap ends, webhook-signature carries one signature for each secret. X-Service-Signature is made with the new one."}
            </Text>
            <Group justify="flex-end">
              <Button onClick={close}>Done</Button>
            </Group>
          </Stack>
        )
        : (
          <Stack>
            <Text size="sm">
              A new secret is made. During the overlap requests are signed with both, so that you
              can change the receiver without losing a message.
            </Text>
            <Select
              label="Overlap"
              data={OVERLAPS}
              value={hours}
              onChange={(value) => setHours(value ?? "24")}
              allowDeselect={false}
            />
            {rotate.error && <ErrorState error={rotate.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>Cancel</Button>
              <Button onClick={() => rotate.mutate()} loading={rotate.isPending}>
                Rotate secret
              </Button>
            </Group>
          </Stack>
        )}
    </Modal>
  );
}
