import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { CalendarIcon, PlusIcon } from "@primer/octicons-react";
import { useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatCount } from "../../format/numbers.ts";
import { DurationField } from "../../ui/duration_field.tsx";
import { ClockInput } from "../../ui/time_input.tsx";
import { AudienceCount } from "./audience_count.tsx";
import type { CampaignForm } from "./campaign_form.ts";
import { letterOf } from "./letter_of.ts";
import { zoneTexts } from "./zone_texts.ts";
import { noTopic } from "./topic_field.ts";
import { MultiSelect, NumberInput, Select } from "../../ui/overlays.tsx";

interface Named {
  id: string;
  name: string;
}

const toOption = ({ id, name }: Named) => ({ value: id, label: name });
const maxVariants = 10;

interface FieldsProps {
  form: CampaignForm;
  /** True once its audience is fixed: only some fields can change. */
  isStarted: boolean;
}

export function CampaignFields({ form, isStarted }: FieldsProps) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          description="Only your team sees this"
          withAsterisk
          data-autofocus
          {...form.getInputProps("name")}
        />
        <TextInput
          label="Key"
          description="Identifies the campaign in the API"
          placeholder="spring-sale"
          {...form.getInputProps("key")}
        />
      </SimpleGrid>
      {!isStarted && <Audience form={form} />}
      <Email form={form} isStarted={isStarted} />
      <Timing form={form} isStarted={isStarted} />
    </Stack>
  );
}

function Audience({ form }: { form: CampaignForm }) {
  const segments = useWholeList("GET /segments", {});
  const options = segments.map(({ id, name, members }) => ({
    value: id,
    label: `${name} (${formatCount(members)})`,
  }));
  return (
    <Fieldset legend="Audience">
      <Stack>
        <Select
          label="Segment"
          placeholder="Choose a segment"
          data={options}
          searchable
          withAsterisk
          {...form.getInputProps("segment")}
        />
        <MultiSelect
          label="Except the members of"
          placeholder={form.getValues().exclude.length === 0 ? "No segments" : ""}
          data={options}
          searchable
          clearable
          {...form.getInputProps("exclude")}
        />
        <AudienceCount
          segment={form.values.segment}
          exclude={form.values.exclude}
          topic={form.values.topic === noTopic ? "" : form.values.topic}
        />
      </Stack>
    </Fieldset>
  );
}

function Email({ form, isStarted }: FieldsProps) {
  const templates = useWholeList("GET /templates", {});
  const senders = useWholeList("GET /senders", {});
  const topics = useWholeList("GET /topics", {});
  const { has_variants } = form.values;
  return (
    <Fieldset legend="Email">
      <Stack>
        {!isStarted && (
          <Switch
            label="Compare several templates (A/B)"
            {...form.getInputProps("has_variants", { type: "checkbox" })}
          />
        )}
        {!has_variants && (
          <Select
            label="Template"
            placeholder="Choose a template"
            data={templates.map(toOption)}
            searchable
            withAsterisk
            {...form.getInputProps("template")}
          />
        )}
        {has_variants && !isStarted && <Variants form={form} templates={templates} />}
        <Select
          label="Sender"
          placeholder="Choose a sender"
          data={senders.map(toOption)}
          allowDeselect={false}
          searchable
          withAsterisk
          {...form.getInputProps("sender")}
        />
        <Select
          label="Topic"
          placeholder="Choose a topic"
          description={topicNote(form.values.topic)}
          data={[
            ...topics.map(toOption),
            {
              value: noTopic,
              label: "None: a transactional email, also sent to people who unsubscribed",
            },
          ]}
          allowDeselect={false}
          searchable
          withAsterisk
          {...form.getInputProps("topic")}
        />
      </Stack>
    </Fieldset>
  );
}

/** Says who gets a message with this topic. */
function topicNote(topic: string): string {
  if (topic === noTopic) return "Everyone gets it except suppressed addresses";
  return "Only subscribed addresses get it, within the caps and outside quiet hours";
}

const winnerOptions = [
  { value: "none", label: "No winner: the templates keep their shares" },
  { value: "opened", label: "The one opened most often" },
  { value: "clicked", label: "The one clicked most often" },
  { value: "goal", label: "The one whose recipients reach a goal most often" },
];

function Variants({ form, templates }: { form: CampaignForm; templates: Named[] }) {
  const { variants, winner_by } = form.values;
  return (
    <>
      {variants.map((_, index) => (
        <Group key={index} align="flex-end" wrap="nowrap">
          <Select
            label={`Template ${letterOf(index)}`}
            data={templates.map(toOption)}
            searchable
            withAsterisk
            flex={1}
            {...form.getInputProps(`variants.${index}.template`)}
          />
          <NumberInput
            label="Weight"
            min={1}
            w={90}
            {...form.getInputProps(`variants.${index}.weight`)}
          />
          <CloseButton
            aria-label={`Remove template ${letterOf(index)}`}
            disabled={variants.length <= 2}
            onClick={() => form.removeListItem("variants", index)}
          />
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<PlusIcon />}
        disabled={variants.length >= maxVariants}
        onClick={() => form.insertListItem("variants", { template: "", weight: 1 })}
        style={{ alignSelf: "flex-start" }}
      >
        Add a template
      </Button>
      <Select
        label="After the test"
        data={winnerOptions}
        allowDeselect={false}
        {...form.getInputProps("winner_by")}
        error={form.errors.winner}
      />
      {winner_by !== "none" && <WinnerFields form={form} />}
    </>
  );
}

function WinnerFields({ form }: { form: CampaignForm }) {
  const { winner_by } = form.values;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberInput
        label="Recipients who get the test, in per cent"
        min={1}
        max={99}
        {...form.getInputProps("winner_share")}
        error={form.errors["winner.share"]}
      />
      <DurationField
        label="The winner is chosen after"
        value={form.values.winner_after}
        onChange={(length = "") => form.setFieldValue("winner_after", length)}
        error={errorAt(form, "winner.after")}
        isRequired
      />
      {winner_by === "goal" && (
        <TextInput
          label="Event of the goal"
          placeholder="order_completed"
          {...form.getInputProps("goal")}
        />
      )}
    </SimpleGrid>
  );
}

function errorAt(form: CampaignForm, field: string): string | undefined {
  const error = form.errors[field];
  return typeof error === "string" ? error : undefined;
}

const zoneOptions = Object.entries(zoneTexts).map(([value, label]) => ({ value, label }));

function Timing({ form, isStarted }: FieldsProps) {
  const { timezone } = useWorkspace();
  return (
    <Fieldset legend="Time">
      <Stack>
        {!isStarted && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ClockInput
              label="Send at"
              description={`In ${timezone}. Leave empty to send it yourself`}
              placeholder="No time yet"
              leftSection={<CalendarIcon />}
              clearable
              {...form.getInputProps("send_at")}
              value={form.values.send_at || null}
              onChange={(time) => form.setFieldValue("send_at", time ?? "")}
            />
            <Select
              label="Time zone"
              description="Time zone for the send time"
              data={zoneOptions}
              allowDeselect={false}
              {...form.getInputProps("zone")}
            />
          </SimpleGrid>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label="Emails per minute"
            placeholder="No limit"
            min={1}
            {...form.getInputProps("per_minute")}
          />
          {!isStarted && (
            <DurationField
              label="Spread over"
              placeholder="Not spread"
              value={form.values.spread_over || undefined}
              onChange={(length = "") => form.setFieldValue("spread_over", length)}
              error={errorAt(form, "spread_over")}
            />
          )}
          <DurationField
            label="Skip if delayed by more than"
            placeholder="Never skip"
            value={form.values.not_after || undefined}
            onChange={(length = "") => form.setFieldValue("not_after", length)}
            error={errorAt(form, "not_after")}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          The delay counts from the time of each email.
        </Text>
      </Stack>
    </Fieldset>
  );
}
