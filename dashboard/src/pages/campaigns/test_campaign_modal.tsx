import { Alert, Anchor, Input, Text } from "@mantine/core";
import { CheckCircleIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Campaign } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { letterOf } from "./letter_of.ts";
import { Select, TagsInput } from "../../ui/overlays.tsx";

const maxAddresses = 10;
const noAddresses: string[] = [];

/** Sends the campaign to addresses of the caller, rendered for a customer. */
export function TestCampaignModal({ campaign, ...dialog }: DialogProps & { campaign: Campaign }) {
  const { id: workspaceId } = useWorkspace();
  const [addresses, setAddresses, draft] = useDraftState<string[]>(
    `campaign-test:${campaign.id}`,
    noAddresses,
  );
  const [customerId, setCustomerId] = useState<string>();
  const [variant, setVariant] = useState("0");
  const test = useApiAction("POST /campaigns/{id}/test", () => ({
    params: { id: campaign.id },
    body: { addresses, customer_id: customerId, variant: Number(variant) },
  }), { onSuccess: draft.forget });
  return (
    <FormModal
      {...dialog}
      title="Send test email"
      submitLabel="Send"
      onSubmit={() => test.mutate()}
      isPending={test.isPending}
      isIncomplete={addresses.length === 0}
      error={test.error}
      draft={draft}
    >
      <TagsInput
        label="To"
        description="Your own addresses. Press Enter after each"
        placeholder={addresses.length === 0 ? "you@example.com" : ""}
        maxTags={maxAddresses}
        splitChars={[",", " ", ";"]}
        acceptValueOnBlur
        data-autofocus
        value={addresses}
        onChange={setAddresses}
      />
      <Input.Wrapper label="Rendered for" description="A member of the segment by default">
        <CustomerFilter
          placeholder="Any member"
          value={customerId}
          onChange={setCustomerId}
        />
      </Input.Wrapper>
      {campaign.variants.length > 0 && (
        <Select
          label="Template"
          data={campaign.variants.map((_, index) => ({
            value: String(index),
            label: letterOf(index),
          }))}
          allowDeselect={false}
          value={variant}
          onChange={(value: string | null) => setVariant(value ?? "0")}
        />
      )}
      {test.data && (
        <Alert color="green" icon={<CheckCircleIcon />} title="On its way" role="status">
          <Text size="sm">
            Test emails do not count in the results.{" "}
            <Anchor
              {...linkTo(`/w/${workspaceId}/sends/${test.data.send_ids[0]}`)}
              size="sm"
            >
              See what became of it
            </Anchor>
          </Text>
        </Alert>
      )}
    </FormModal>
  );
}
