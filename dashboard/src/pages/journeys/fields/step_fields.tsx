import { Text } from "@mantine/core";
import type { SendStep, Step, UpdateStep, WebhookStep } from "../../../api/journey_definition.ts";
import { useAttributePaths } from "../../../conditions/use_suggestions.ts";
import { setOrRemove } from "../model/slots.ts";
import { BranchFields, SplitFields } from "./fork_fields.tsx";
import { DurationField } from "../../../ui/duration_field.tsx";
import { JsonField } from "./json_field.tsx";
import { ReferenceField } from "./reference_field.tsx";
import { NextField, type StepFieldsProps } from "./next_field.tsx";
import { useMessage } from "./use_message.ts";
import { ValuesField } from "./values_field.tsx";
import { WaitFields, WaitForFields } from "./wait_fields.tsx";
import { Select } from "../../../ui/overlays.tsx";

/** The fields of a step of any kind. */
export function StepFields({ step, ...props }: StepFieldsProps<Step>) {
  if ("send" in step) return <SendFields step={step} {...props} />;
  if ("wait" in step) return <WaitFields step={step} {...props} />;
  if ("wait_for" in step) return <WaitForFields step={step} {...props} />;
  if ("branch" in step) return <BranchFields step={step} {...props} />;
  if ("split" in step) return <SplitFields step={step} {...props} />;
  if ("update" in step) return <UpdateFields step={step} {...props} />;
  if ("webhook" in step) return <WebhookFields step={step} {...props} />;
  return <Text size="sm">The run ends here, with the reason “completed”.</Text>;
}

const capOptions = [
  { value: "skip", label: "Skip the email" },
  { value: "wait", label: "Wait until it may be sent" },
];

function SendFields({ id, step, onChange }: StepFieldsProps<SendStep>) {
  const message = useMessage();
  const { send } = step;
  const set = (changed: SendStep["send"], field?: string) =>
    onChange({ ...step, send: changed }, field);
  return (
    <>
      <ReferenceField
        kind="template"
        label="Template"
        value={send.template}
        onChange={(template = "") => set({ ...send, template })}
        error={message("send", "template")}
        isRequired
      />
      <ReferenceField
        kind="sender"
        label="Sender"
        value={send.sender}
        onChange={(sender = "") => set({ ...send, sender })}
        error={message("send", "sender")}
        isRequired
      />
      <ReferenceField
        kind="topic"
        label="Topic"
        description="With a topic, only subscribed addresses get it. Without one, it is transactional."
        placeholder="Transactional"
        value={send.topic}
        onChange={(topic) => set(setOrRemove(send, "topic", topic))}
        error={message("send", "topic")}
      />
      <DurationField
        label="Skip if delayed by more than"
        description="24 hours by default"
        value={send.not_after}
        onChange={(length) => set(setOrRemove(send, "not_after", length), "not_after")}
        error={message("send", "not_after")}
      />
      <Select
        label="If the customer has had too many emails"
        data={capOptions}
        value={send.on_cap ?? "skip"}
        onChange={(choice) =>
          set(setOrRemove(send, "on_cap", choice === "wait" ? choice : undefined))}
        allowDeselect={false}
      />
      <NextField id={id} />
    </>
  );
}

/** Fields of a customer that are texts. */
export const profileFields = [
  "email",
  "phone",
  "first_name",
  "last_name",
  "country",
  "timezone",
  "locale",
];

function UpdateFields({ id, step, onChange }: StepFieldsProps<UpdateStep>) {
  const message = useMessage();
  const { update } = step;
  const attributes = useAttributePaths().map(({ path }) => path)
    .filter((path) => !path.includes("."));
  const set = (name: "attributes" | "profile", value: unknown) =>
    onChange({ ...step, update: setOrRemove(update, name, value as never) }, name);
  return (
    <>
      <ValuesField
        label="Attributes"
        description="Values to set on the customer"
        noun="attribute"
        names={attributes}
        type="any"
        isRemovable
        value={update.attributes}
        onChange={(value) => set("attributes", value)}
        error={message("update", "attributes") ?? message("update")}
      />
      <ValuesField
        label="Profile"
        description="Such as a language tag in locale: en-GB"
        noun="field"
        names={profileFields}
        type="text"
        isRemovable
        value={update.profile}
        onChange={(value) => set("profile", value)}
        error={message("update", "profile")}
      />
      <NextField id={id} />
    </>
  );
}

function WebhookFields({ id, step, onChange }: StepFieldsProps<WebhookStep>) {
  const message = useMessage();
  const { webhook } = step;
  const set = (changed: WebhookStep["webhook"], field?: string) =>
    onChange({ ...step, webhook: changed }, field);
  return (
    <>
      <ReferenceField
        kind="destination"
        label="Destination"
        description="Gets journey.webhook, even if it does not subscribe to it"
        value={webhook.destination}
        onChange={(destination = "") => set({ ...webhook, destination })}
        error={message("webhook", "destination")}
        isRequired
      />
      <JsonField
        label="Data"
        description="Text can contain values, such as {{ customer.email }}"
        placeholder='{ "plan": "{{ customer.attributes.plan }}" }'
        value={webhook.data}
        onChange={(data) => set(setOrRemove(webhook, "data", data as never), "data")}
        error={message("webhook", "data")}
      />
      <NextField id={id} />
    </>
  );
}
