import { Alert, Anchor, Input, Text, TextInput } from "@mantine/core";
import { CheckCircleIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Template } from "../../api/types.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { useApiAction, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useShownCustomer } from "./use_shown_customer.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import type { SampleData } from "./use_sample_data.ts";
import { Select } from "../../ui/overlays.tsx";

interface SendTemplateModalProps extends DialogProps {
  template: Template;
  sample: SampleData;
}

/** Sends the saved version to an address of your own, rendered for a customer with the sample data. */
export function SendTemplateModal({ template, sample, ...dialog }: SendTemplateModalProps) {
  const { id: workspaceId } = useWorkspace();
  const senders = useWholeList("GET /senders", {});
  const [chosen, choose] = useState<string | null>(null);
  const sender = chosen ?? (senders.length === 1 ? senders[0]!.id : null);
  const [customerId, setCustomerId] = useState(useShownCustomer().customerId);
  const [to, setTo] = useState(useSession(useServices().session)?.user.email ?? "");
  const send = useApiAction("POST /sends", () => ({
    body: {
      template: template.id,
      sender: sender ?? "",
      customer_id: customerId,
      to: to.trim(),
      ...sample.data ? { data: sample.data } : {},
    },
  }));
  return (
    <FormModal
      {...dialog}
      title="Send test email"
      submitLabel="Send"
      onSubmit={() => send.mutate()}
      isPending={send.isPending}
      isIncomplete={sender === null || customerId === undefined || to.trim() === ""}
      error={send.error}
    >
      <Text size="sm" c="dimmed">
        Sends version {template.version}
        {sample.data ? " with the sample data" : ""}{" "}
        to you, not to the customer. No figure counts it.
      </Text>
      <TextInput
        type="email"
        label="To"
        description="Your own address"
        placeholder="you@example.com"
        data-autofocus
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Select
        label="Sender"
        data={senders.map(({ id, name }) => ({ value: id, label: name }))}
        value={sender}
        onChange={choose}
        searchable
      />
      <Input.Wrapper label="Rendered for" description="A customer, who gets nothing">
        <CustomerFilter value={customerId} onChange={setCustomerId} />
      </Input.Wrapper>
      {send.data && (
        <Alert color="green" icon={<CheckCircleIcon />} title="On its way" role="status">
          <Anchor {...linkTo(`/w/${workspaceId}/sends/${send.data.send_id}`)} size="sm">
            See what became of it
          </Anchor>
        </Alert>
      )}
    </FormModal>
  );
}
