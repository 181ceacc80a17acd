import {
  Button,
  Checkbox,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { PlusIcon } from "@primer/octicons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { workspacesKey } from "../../api/services.ts";
import type { Workspace } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { writeDuration } from "../../format/duration.ts";
import { countOf } from "../../format/numbers.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { DurationField } from "../../ui/duration_field.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { Autocomplete, NumberInput } from "../../ui/overlays.tsx";
import { SaveButton } from "../../ui/save_button.tsx";
import { checkQuiet, quietErrors, writeQuiet } from "../../ui/quiet_hours.ts";

/** Most caps that a workspace can have. */
const mostCaps = 5;
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

interface Values {
  timezone: string;
  quiet_from: string;
  quiet_to: string;
  caps: { max: number | string; per: string }[];
  track_opens: boolean;
  track_clicks: boolean;
  campaign_confirm_above: number | string;
  campaign_complaint_rate: number | string;
}

/** Settings of all messages to customers. Owners change them. */
export function MessageSettings() {
  const isOwner = useMay("owner");
  const workspace = useWorkspace();
  return (
    <Paper p="lg">
      <Title order={2} size="h4" mb={4}>Emails</Title>
      <Text size="sm" c="dimmed" mb="md">
        For all journeys, campaigns and sends of this workspace.
      </Text>
      {isOwner
        ? <MessageForm workspace={workspace} />
        : <FieldList fields={listSettings(workspace)} />}
    </Paper>
  );
}

function MessageForm({ workspace }: { workspace: Workspace }) {
  const queries = useQueryClient();
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "workspace-messages",
    schema: "workspaceEdit",
    resource: workspace,
    initialValues: readValues(workspace),
    toBody,
    check: checkQuiet,
  });
  const readWorkspaces = () => void queries.invalidateQueries({ queryKey: workspacesKey });
  const save = useApiAction(
    "PATCH /workspaces/{id}",
    (body: ApiBody<"PATCH /workspaces/{id}">) => ({ params: { id: workspace.id }, body }),
    {
      onSuccess: () => {
        notifications.show({ message: "Email settings saved", color: "teal" });
        readWorkspaces();
      },
      onError: readWorkspaces,
    },
  );
  const error = generalError(save.error);
  const isDirty = draft.isDirty();
  const quiet = quietErrors(form.errors);
  return (
    <form onSubmit={submitTo(save)} noValidate>
      <DraftNotice draft={draft} />
      <Stack>
        <Autocomplete
          label="Time zone"
          description="For customers without a time zone of their own"
          data={zones}
          limit={50}
          {...form.getInputProps("timezone")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Quiet from"
            description="In the customer’s time zone. Marketing emails wait"
            placeholder="21:00"
            {...form.getInputProps("quiet_from")}
            error={quiet.from}
          />
          <TextInput
            label="Quiet until"
            description="Leave both empty for no quiet hours"
            placeholder="08:00"
            {...form.getInputProps("quiet_to")}
            error={quiet.to}
          />
        </SimpleGrid>
        <Part title="Caps">
          <Caps form={form} />
        </Part>
        <Part title="Tracking">
          <Tracking form={form} />
        </Part>
        <Part title="Campaigns">
          <CampaignLimits form={form} />
        </Part>
        {error && <ErrorState error={error} />}
        <Group justify="flex-end" className={isDirty ? "form-buttons" : undefined}>
          <SaveButton isDirty={isDirty} isPending={save.isPending}>Save</SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

/** Fields of one subject, below a line and a heading. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h5" pt="md" mb="xs" className="form-part">{title}</Title>
      {children}
    </section>
  );
}

type MessageFormState = ReturnType<typeof useApiForm<Values, "workspaceEdit">>["form"];

function Tracking({ form }: { form: MessageFormState }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Checkbox
        label="Track opens"
        description="Adds an invisible pixel to each email"
        {...form.getInputProps("track_opens", { type: "checkbox" })}
      />
      <Checkbox
        label="Track clicks"
        description="Links go through Signalpost first"
        {...form.getInputProps("track_clicks", { type: "checkbox" })}
      />
    </SimpleGrid>
  );
}

function CampaignLimits({ form }: { form: MessageFormState }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label="Confirm campaigns above"
        description="Recipients. Larger campaigns ask you to type the number"
        min={0}
        allowDecimal={false}
        thousandSeparator
        clampBehavior="none"
        {...form.getInputProps("campaign_confirm_above")}
      />
      <NumberInput
        label="Pause at complaints"
        description="Share of a campaign’s emails that are marked as spam"
        min={0}
        max={100}
        clampBehavior="none"
        suffix="%"
        {...form.getInputProps("campaign_complaint_rate")}
      />
    </SimpleGrid>
  );
}

/** Focuses a new field. Typing replaces its text. */
function focusText(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

/** The maximum number of marketing emails per address in each period. */
function Caps({ form }: { form: MessageFormState }) {
  const { caps } = form.values;
  const [added, setAdded] = useState<number>();
  const hasOwnErrors = Object.keys(form.errors).some((path) => path.startsWith("caps."));
  return (
    <Stack gap="xs" role="group" aria-label="Caps">
      <Text size="xs" c="dimmed">
        The maximum number of marketing emails per address in a period. Counting starts with your
        first cap. Emails over the cap are not sent, or wait if the journey says so.
      </Text>
      {caps.map((cap, index) => (
        <Group key={index} gap="xs" align="flex-start">
          <NumberInput
            label="At most"
            min={1}
            clampBehavior="none"
            allowDecimal={false}
            w={110}
            ref={index === added ? focusText : undefined}
            {...form.getInputProps(`caps.${index}.max`)}
            error={form.errors[`caps.${index}.max`] && "1 to 1,000"}
          />
          <DurationField
            label="Within"
            isRequired
            value={cap.per}
            onChange={(per) => form.setFieldValue(`caps.${index}.per`, per ?? "")}
            error={form.errors[`caps.${index}.per`] ? "Up to 90 days" : undefined}
          />
          <Button
            variant="default"
            mt={25}
            aria-label={`Remove cap ${index + 1}`}
            onClick={() => form.setFieldValue("caps", caps.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </Group>
      ))}
      {form.errors.caps && !hasOwnErrors && (
        <Text size="xs" c="red" role="alert">{form.errors.caps}</Text>
      )}
      {caps.length < mostCaps && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<PlusIcon />}
            onClick={() => {
              setAdded(caps.length);
              form.setFieldValue("caps", [...caps, { max: 3, per: "7d" }]);
            }}
          >
            Add cap
          </Button>
        </div>
      )}
    </Stack>
  );
}

function readValues(workspace: Workspace): Values {
  return {
    timezone: workspace.timezone,
    quiet_from: workspace.quiet_hours?.from ?? "",
    quiet_to: workspace.quiet_hours?.to ?? "",
    caps: workspace.caps.map(({ max, per }) => ({ max, per })),
    track_opens: workspace.track_opens,
    track_clicks: workspace.track_clicks,
    campaign_confirm_above: workspace.campaign_confirm_above,
    campaign_complaint_rate: workspace.campaign_complaint_rate,
  };
}

function toBody({ quiet_from, quiet_to, ...rest }: Values) {
  return { ...rest, quiet_hours: writeQuiet({ quiet_from, quiet_to }) };
}

function listSettings(workspace: Workspace): Field[] {
  const { quiet_hours: quiet, caps } = workspace;
  const yesNo = (value: boolean) => value ? "Yes" : "No";
  return [
    ["Time zone", workspace.timezone],
    ["Quiet hours", quiet && `${quiet.from} to ${quiet.to}`],
    ["Caps", caps.map(({ max, per }) => `${max} in ${writeDuration(per)}`).join(", ") || null],
    ["Track opens", yesNo(workspace.track_opens)],
    ["Track clicks", yesNo(workspace.track_clicks)],
    ["Confirm campaigns above", countOf(workspace.campaign_confirm_above, "recipient")],
    ["Pause at complaints", `${workspace.campaign_complaint_rate}%`],
  ];
}
