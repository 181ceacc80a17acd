import { Alert, Checkbox, Fieldset, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { alertKinds } from "../../api/schemas.ts";
import type { AlertRule } from "../../api/types.ts";
import { type ApiBody, useApiAction, useReadList, useWholeList } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { describeUnheard } from "./describe_unheard.ts";
import { type AlertKind, getsNotices, kindTexts, type Preset } from "./kind_texts.ts";
import { NumberInput, Select, TagsInput } from "../../ui/overlays.tsx";
import { checkQuiet, quietErrors, writeQuiet } from "../../ui/quiet_hours.ts";

const kindOptions = Object.entries(kindTexts).map(([value, { label }]) => ({ value, label }));

/** Two fields side by side. */
const pair = { cols: { base: 1, xs: 2 }, verticalSpacing: "md" };

interface RuleValues {
  name: string;
  kind: AlertKind;
  target_id: string | null;
  threshold: number | string;
  destination_id: string | null;
  sender_id: string | null;
  to: string[];
  repeat_after_minutes: number | string;
  quiet_from: string;
  quiet_to: string;
  notify_resolved: boolean;
}

type NewRule = ApiBody<"POST /alert-rules">;

interface RuleModalProps extends DialogProps {
  rule: AlertRule | undefined;
  /** Fills a new rule. */
  preset: Preset | undefined;
  /** A sender that mails the notices of a new rule to the member who creates it; undefined for none. */
  senderId: string | undefined;
}

/** Creates an alert rule, or changes the given one. */
export function RuleModal({ rule, preset, senderId, ...dialog }: RuleModalProps) {
  const email = useSession(useServices().session)?.user.email;
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: `alert-rule:${rule?.id ?? "new"}`,
    schema: "newAlertRule",
    resource: rule,
    initialValues: {
      ...readValues(rule, preset),
      ...!rule && senderId && email ? { sender_id: senderId, to: [email] } : {},
    },
    toBody: (values: RuleValues) => toBody(values, rule),
    check: checkQuiet,
  });
  const done = { onSuccess: dialog.close };
  const create = useApiAction("POST /alert-rules", (body: NewRule) => ({ body }), done);
  const save = useApiAction("PATCH /alert-rules/{id}", ({ kind: _, ...body }: NewRule) => ({
    params: { id: rule?.id ?? "" },
    body,
  }), done);
  const action = rule ? save : create;
  return (
    <FormModal
      {...dialog}
      title={rule ? "Edit alert rule" : "New alert rule"}
      submitLabel={rule ? "Save" : "Create rule"}
      onSubmit={submitTo(action)}
      isPending={action.isPending}
      error={generalError(action.error)}
      draft={draft}
      size="xl"
    >
      <SubjectFields form={form} isNew={rule === undefined} />
      <ChannelFields form={form} rule={rule} />
      <QuietFields form={form} />
    </FormModal>
  );
}

type RuleForm = ReturnType<typeof useApiForm<RuleValues, "newAlertRule">>["form"];

/** Chooses the kind of alert, its target and its figure. */
function SubjectFields({ form, isNew }: { form: RuleForm; isNew: boolean }) {
  const { kind } = form.values;
  return (
    <SimpleGrid {...pair}>
      <Select
        label="Alert about"
        data={kindOptions}
        allowDeselect={false}
        disabled={!isNew}
        {...form.getInputProps("kind")}
        onChange={(value) => {
          const chosen = (value ?? kind) as AlertKind;
          form.setValues({
            kind: chosen,
            target_id: null,
            threshold: alertKinds[chosen].initial,
            name: form.values.name || kindTexts[chosen].label,
          });
        }}
      />
      <TextInput
        label="Name"
        placeholder="Warehouse is down"
        withAsterisk
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TargetSelect kind={kind} props={form.getInputProps("target_id")} />
      {kindTexts[kind].threshold && (
        <NumberInput
          label={kindTexts[kind].threshold}
          description="Alert after this many"
          min={0}
          max={alertKinds[kind].most}
          {...form.getInputProps("threshold")}
        />
      )}
    </SimpleGrid>
  );
}

/** The one thing to watch, of those that the kind is about. */
function TargetSelect({ kind, props }: { kind: AlertKind; props: object }) {
  const { target } = alertKinds[kind];
  const destinations = useWholeList("GET /destinations", {});
  const sources = useWholeList("GET /sources", {});
  const senders = useWholeList("GET /senders", {});
  const journeys = useWholeList("GET /journeys", {});
  if (target === null) return null;
  const all = { destination: destinations, source: sources, sender: senders, journey: journeys };
  const data = all[target].map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Watch"
      description="Leave empty for all"
      placeholder={`Every ${target}`}
      data={data}
      clearable
      searchable
      {...props}
    />
  );
}

function ChannelFields({ form, rule }: { form: RuleForm; rule: AlertRule | undefined }) {
  const destinations = useWholeList("GET /destinations", {});
  const senders = useWholeList("GET /senders", {});
  const options = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  const addressError = findAddressError(form);
  const subscribers = destinations.filter(({ event_types }) => getsNotices(event_types))
    .map(({ name }) => name);
  return (
    <Fieldset legend="Where alerts go">
      <Stack>
        <Text size="sm" c="dimmed">
          The bell shows every alert. Choose where else it goes.
          {subscribers.length > 0 && (
            <>
              {" "}
              It also goes to <bdi>{subscribers.join(", ")}</bdi>, by subscription.
            </>
          )}
        </Text>
        <SimpleGrid {...pair}>
          <Select
            label="To a destination"
            description="For Slack: an incoming webhook"
            placeholder="None"
            data={options(destinations)}
            clearable
            searchable
            {...form.getInputProps("destination_id")}
          />
          <Select
            label="Email from"
            description="The sender of the emails"
            placeholder="No email"
            data={options(senders)}
            clearable
            {...form.getInputProps("sender_id")}
            error={addressError === undefined && form.errors.channels}
          />
        </SimpleGrid>
        {form.values.sender_id && (
          <TagsInput
            label="Email addresses"
            placeholder="ops@example.com"
            description="Press Enter after each"
            splitChars={[",", " ", ";"]}
            {...form.getInputProps("to")}
            error={addressError}
          />
        )}
        <Unheard values={form.values} rule={rule} />
        <Checkbox
          label="Send again when it is resolved"
          {...form.getInputProps("notify_resolved", { type: "checkbox" })}
        />
      </Stack>
    </Fieldset>
  );
}

/** Warns of alerts that only the dashboard shows. */
function Unheard({ values, rule }: { values: RuleValues; rule: AlertRule | undefined }) {
  const destinations = useReadList("GET /destinations", {});
  const senders = useReadList("GET /senders", {});
  if (!destinations.isRead || !senders.isRead) return null;
  const carriers = { destinations: destinations.rows, senders: senders.rows };
  const text = describeUnheard({ ...values, channels: listChannels(values, rule) }, carriers);
  return text && <Alert color="yellow" icon={<AlertIcon />} p="xs">{text}.</Alert>;
}

/** Returns the error of the email addresses; it begins with the wrong one. */
function findAddressError({ errors, values }: RuleForm): string | undefined {
  for (const [place, error] of Object.entries(errors)) {
    const [isAddress, index] = /^channels\W\d+\W+to(?:\W(\d+)\W?)?$/.exec(place) ?? [];
    if (isAddress === undefined) continue;
    if (index === undefined && values.to.length === 0) return "Enter at least one address";
    const subject = index === undefined ? "Email addresses" : `"${values.to[Number(index)]}"`;
    return String(error).replace(/^Channels/, subject);
  }
  return undefined;
}

function QuietFields({ form }: { form: RuleForm }) {
  const { timezone } = useWorkspace();
  const quiet = quietErrors(form.errors);
  return (
    <Fieldset legend="Quiet times">
      <SimpleGrid cols={{ base: 1, xs: 3 }} verticalSpacing="md">
        <NumberInput
          label="At most one alert every"
          description="Minutes, for the same target"
          min={0}
          max={10_080}
          {...form.getInputProps("repeat_after_minutes")}
        />
        <TextInput
          label="Quiet from"
          description={timezone}
          placeholder="22:00"
          {...form.getInputProps("quiet_from")}
          error={quiet.from}
        />
        <TextInput
          label="Quiet until"
          description={timezone}
          placeholder="07:00"
          {...form.getInputProps("quiet_to")}
          error={quiet.to}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function readValues(rule: AlertRule | undefined, preset: Preset | undefined): RuleValues {
  const kind = rule?.kind ?? preset?.kind ?? "destination_failing";
  const destination = rule?.channels.find((channel) => channel.type === "destination");
  const email = rule?.channels.find((channel) => channel.type === "email");
  return {
    name: rule?.name ?? preset?.name ?? "",
    kind,
    target_id: rule?.target_id ?? null,
    threshold: rule?.threshold ?? alertKinds[kind].initial,
    destination_id: destination?.destination_id ?? null,
    sender_id: email?.sender_id ?? null,
    to: email?.to ?? [],
    repeat_after_minutes: rule?.repeat_after_minutes ?? 60,
    quiet_from: rule?.quiet_hours?.from ?? "",
    quiet_to: rule?.quiet_hours?.to ?? "",
    notify_resolved: rule?.notify_resolved ?? true,
  };
}

function toBody(values: RuleValues, rule: AlertRule | undefined) {
  return {
    name: values.name,
    kind: values.kind,
    target_id: values.target_id,
    threshold: values.threshold,
    repeat_after_minutes: values.repeat_after_minutes,
    notify_resolved: values.notify_resolved,
    quiet_hours: writeQuiet(values),
    channels: listChannels(values, rule),
  };
}

/** Keeps the channels of the rule that the form does not show. */
function listChannels(values: RuleValues, rule: AlertRule | undefined): AlertRule["channels"] {
  const { destination_id: destinationId, sender_id: senderId, to } = values;
  const [first, second] = ["destination", "email"].map((type) =>
    rule?.channels.find((channel) => channel.type === type)
  );
  const others = rule?.channels.filter((channel) => channel !== first && channel !== second) ?? [];
  return [
    ...(destinationId ? [{ type: "destination" as const, destination_id: destinationId }] : []),
    ...(senderId ? [{ type: "email" as const, sender_id: senderId, to }] : []),
    ...others,
  ];
}
