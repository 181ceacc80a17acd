import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import type { Destination } from "../../api/types.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { Select } from "../../ui/overlays.tsx";

type DestinationDialog = DialogProps & { destination: Destination };

const overlapOptions = [
  { value: "0", label: "None: the old secret stops working immediately" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
];

export function RotateSecretModal({ destination, ...dialog }: DestinationDialog) {
  const [hours, setHours] = useState("24");
  const rotate = useApiAction(
    "POST /destinations/{id}/rotate-secret",
    () => ({ params: { id: destination.id }, body: { overlap_seconds: Number(hours) * 3600 } }),
  );
  return (
    <FormModal
      {...dialog}
      title="Rotate the signing secret"
      submitLabel="Rotate secret"
      onSubmit={() => rotate.mutate()}
      isPending={rotate.isPending}
      error={rotate.error}
      result={rotate.data && <NewSecret secret={rotate.data.secret} hasOverlap={hours !== "0"} />}
      onClosed={rotate.reset}
      size="lg"
    >
      <Text size="sm">
        Creates a new secret. During the overlap, requests are signed with both secrets, so you can
        update the receiver without losing messages.
      </Text>
      <Select
        label="Overlap"
        data={overlapOptions}
        value={hours}
        onChange={(value) => setHours(value ?? "24")}
        allowDeselect={false}
      />
    </FormModal>
  );
}

function NewSecret({ secret, hasOverlap }: { secret: string; hasOverlap: boolean }) {
  return (
    <Stack>
      <SecretPanel title="New signing secret" secret={secret} />
      <Text size="sm">
        {hasOverlap
          ? "Until the overlap ends, webhook-signature carries a signature for each secret. X-Service-Signature uses the new one."
          : "Requests are now signed with the new secret only."}
      </Text>
    </Stack>
  );
}
