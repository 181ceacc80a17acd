import {
  Alert,
  Center,
  Group,
  List,
  SegmentedControl,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from "@mantine/core";
import { AlertIcon, CheckIcon } from "@primer/octicons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Template } from "../../api/types.ts";
import { type ApiBody, useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { checkTemplate, type TemplateCheck } from "./template_checks.ts";

type View = "desktop" | "phone" | "text";

const views: { value: View; label: string }[] = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
  { value: "text", label: "Text" },
];
const phoneWidth = 375;

/** A subject and a body, as the api takes them. */
export type Contents = Pick<ApiBody<"POST /templates">, "subject" | "html" | "mjml" | "text">;

interface PreviewProps {
  template: Template;
  /** Edited contents, which need not be saved. */
  contents: Contents;
}

/** Contents as a customer would get them, with what to fix. */
export function TemplatePreview({ template, contents }: PreviewProps) {
  const { filters, setFilters } = useFilters();
  const { customer_id } = filters;
  const [view, setView] = useState<View>("desktop");
  const preview = usePreview({ template, contents, customerId: customer_id });
  const { data } = preview;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h5">Preview</Title>
        <CustomerFilter value={customer_id} onChange={(id) => setFilters({ customer_id: id })} />
      </Group>
      {preview.error && (
        <Alert color="red" icon={<AlertIcon />} title="It cannot be rendered" role="alert">
          <Text size="sm" className="break-anywhere">{preview.error.message}</Text>
        </Alert>
      )}
      {data && (
        <>
          <FieldList fields={[["Subject", <bdi key="subject">{data.subject}</bdi>]]} />
          <SegmentedControl
            data={views}
            value={data.html === null ? "text" : view}
            onChange={(value) => setView(value as View)}
            disabled={data.html === null}
            aria-label="View"
            transitionDuration={0}
          />
          {data.html === null || view === "text"
            ? <Text component="pre" size="sm" className="mail-text">{data.text ?? ""}</Text>
            : (
              <Center>
                <MailFrame
                  html={data.html}
                  title="Preview of the mail"
                  width={view === "phone" ? phoneWidth : undefined}
                />
              </Center>
            )}
          <Checks checks={checkTemplate(data)} />
        </>
      )}
    </Stack>
  );
}

interface PreviewInput extends PreviewProps {
  customerId: string | undefined;
}

function usePreview({ template, contents, customerId }: PreviewInput) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [workspaceId, "template preview", template.id, customerId, contents],
    queryFn: ({ signal }) =>
      api.call("POST /templates/{id}/preview", {
        params: { id: template.id },
        body: { ...contents, ...customerId ? { customer_id: customerId } : {} },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function Checks({ checks }: { checks: TemplateCheck[] }) {
  return (
    <section>
      <Title order={3} size="h6" mb="xs">Checks</Title>
      <List spacing="xs" listStyleType="none" size="sm">
        {checks.map(({ label, isFine, remedy }, index) => (
          <List.Item
            key={label + String(index)}
            icon={
              <ThemeIcon
                size={20}
                radius="xl"
                variant="light"
                color={isFine ? "green" : "yellow"}
                role="img"
                aria-label={isFine ? "Fine" : "Look at this"}
              >
                {isFine ? <CheckIcon size={12} /> : <AlertIcon size={12} />}
              </ThemeIcon>
            }
          >
            {label}
            {remedy !== null && (
              <Text size="xs" c="dimmed" className="break-anywhere">{remedy}</Text>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
