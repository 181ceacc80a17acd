import { Alert, Anchor, Input, Text } from "@mantine/core";
import { CheckCircleIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Template } from "../../api/types.ts";
import { useApiAction, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import type { SampleData } from "./use_sample_data.ts";
import { Select } from "../../ui/overlays.tsx";

interface SendTemplateModalProps extends DialogProps {
  template: Template;
  sample: SampleData;
}

/** Sends the saved version to one customer, with the sample data of the page. */
export function SendTemplateModal({ template, sample, ...dialog }: SendTemplateModalProps) {
  const { id: workspaceId } = useWorkspace();
  const senders = useWholeList("GET /senders", {});
  const [chosen, choose] = useState<string | null>(null);
  const sender = chosen ?? (senders.length === 1 ? senders[0]!.id : null);
  const [customerId, setCustomerId] = useState(useFilters().filters.customer_id);
  const send = useApiAction("POST /sends", () => ({
    body: {
      template: template.id,
      sender: sender ?? "",
      customer_id: customerId,
      ...sample.data ? { data: sample.data } : {},
    },
  }));
  return (
    <FormModal
      {...dialog}
      title={`Send ${template.name}`}
      submitLabel="Send"
      onSubmit={() => send.mutate()}
      isPending={send.isPending}
      isIncomplete={sender === null || customerId === undefined}
      error={send.error}
    >
      <Text size="sm" c="dimmed">
        Sends version {template.version}{" "}
        to one customer, as a transactional message{sample.data ? " with the sample data" : ""}.
        Choose a record of your own to try it.
      </Text>
      <Select
        label="Sender"
        data={senders.map(({ id, name }) => ({ value: id, label: name }))}
        value={sender}
        onChange={choose}
        searchable
        data-autofocus
      />
      <Input.Wrapper label="Customer">
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
