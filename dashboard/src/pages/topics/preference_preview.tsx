import { Group, SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import {
  languageOfPage,
  pageLanguages,
  previewPage,
} from "../../../../supabase/functions/api/contract/preference_page.ts";
import type { Topic } from "../../api/types.ts";
import { useApiItem, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import type { DialogProps } from "../../ui/form_modal.tsx";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { Modal, Select } from "../../ui/overlays.tsx";

type Kind = "preferences" | "unsubscribe";

const kinds: { value: Kind; label: string }[] = [
  { value: "preferences", label: "All topics" },
  { value: "unsubscribe", label: "Unsubscribe" },
];

const names = new Intl.DisplayNames("en", { type: "language" });
const languageOptions = pageLanguages.map((value) => ({ value, label: names.of(value) ?? value }));

/** The pages that links in messages lead to, as a customer sees them. Changes nothing. */
export function PreferencePreview({ isOpen, close }: DialogProps) {
  const [kind, setKind] = useState<Kind>("preferences");
  const [topicId, setTopicId] = useState<string | null>(null);
  const [customerId, setCustomerId] = useState<string>();
  const [chosen, choose] = useState<string | null>(null);
  const [isDark, setDark] = useState(false);
  const customer = useApiItem("GET /customers/{id}", { params: { id: customerId ?? "" } }, {
    enabled: customerId !== undefined,
  });
  const lang = chosen ??
    languageOfPage(customerId === undefined ? null : customer.data?.locale ?? null);
  const topics = useWholeList("GET /topics", {});
  const html = usePage({ kind, topics, topicId, customerId, lang });
  return (
    <Modal opened={isOpen} onClose={close} title="Preview of the preference page" size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          The links unsubscribe_url and preferences_url lead to these pages. Nothing that you do
          here is saved.
        </Text>
        <Group justify="space-between">
          <SegmentedControl
            data={kinds}
            value={kind}
            onChange={(value) => setKind(value as Kind)}
            aria-label="Page"
            transitionDuration={0}
          />
          <Switch
            label="Dark"
            checked={isDark}
            onChange={(event) => setDark(event.currentTarget.checked)}
          />
        </Group>
        <Group grow align="flex-start">
          <CustomerFilter value={customerId} onChange={setCustomerId} />
          <Select
            aria-label="Language"
            data={languageOptions}
            value={lang}
            onChange={choose}
            allowDeselect={false}
          />
          {kind === "unsubscribe" && (
            <Select
              aria-label="Topic of the email"
              placeholder="No topic"
              data={topics.map(({ id, name }) => ({ value: id, label: name }))}
              value={topicId}
              onChange={setTopicId}
              clearable
            />
          )}
        </Group>
        <MailFrame html={html} title="Preference page" isDark={isDark} />
      </Stack>
    </Modal>
  );
}

interface PageInput {
  kind: Kind;
  topics: readonly Topic[];
  topicId: string | null;
  customerId: string | undefined;
  lang: string;
}

/** Renders a page. Without a customer, each topic has its default. */
function usePage({ kind, topics, topicId, customerId, lang }: PageInput): string {
  const { name: workspace } = useWorkspace();
  const states = useApiItem("GET /customers/{id}/topics", { params: { id: customerId ?? "" } }, {
    enabled: customerId !== undefined,
  });
  const known = customerId === undefined ? [] : states.data?.data ?? [];
  const page = previewPage({
    kind,
    workspace,
    topicId,
    lang,
    topics: topics.map((topic) => ({
      id: topic.id,
      name: topic.name,
      description: topic.description,
      subscribed: known.find(({ id }) => id === topic.id)?.subscribed ??
        topic.default === "subscribed",
    })).sort((a, b) => a.name.localeCompare(b.name)),
  });
  // A frame removes forms, and a link would leave the preview.
  return page.replaceAll(/<(\/?)form\b[^>]*>/g, "<$1div>").replaceAll(/<a href="[^"]*"/g, "<a");
}
