import { Alert, Center, Group, SegmentedControl, Stack, Switch, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Template } from "../../api/types.ts";
import { type ApiBody, useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { CheckList, LinkList } from "./check_list.tsx";
import { SampleDataFields } from "./sample_data_fields.tsx";
import { checkTemplate, listLinks } from "./template_checks.ts";
import type { SampleData } from "./use_sample_data.ts";

type Rendered = ApiResponse<"POST /templates/{id}/preview">;

type View = "desktop" | "phone" | "text";

const views: { value: View; label: string }[] = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
  { value: "text", label: "Text only" },
];
const phoneWidth = 375;

/** A subject and a body, as the api takes them. */
export type Contents = Pick<ApiBody<"POST /templates">, "subject" | "html" | "mjml" | "text">;

interface PreviewProps {
  template: Template;
  /** Edited contents, which need not be saved. */
  contents: Contents;
  sample: SampleData;
}

/** Contents as a customer would get them, with what to fix. */
export function TemplatePreview({ template, contents, sample }: PreviewProps) {
  const { filters, setFilters } = useFilters();
  const { customer_id } = filters;
  const preview = usePreview({
    templateId: template.id,
    contents,
    customerId: customer_id,
    data: sample.data,
  });
  const rendered = useRef<Rendered>(undefined);
  rendered.current = preview.data ?? rendered.current;
  const data = rendered.current;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h5">Preview</Title>
        <CustomerFilter value={customer_id} onChange={(id) => setFilters({ customer_id: id })} />
      </Group>
      {preview.error && (
        <Alert color="red" icon={<AlertIcon />} title="It cannot be rendered" role="alert">
          <Text size="sm" className="break-anywhere">{preview.error.message}</Text>
          {data && <Text size="sm" mt="xs">Below is the last one that could.</Text>}
        </Alert>
      )}
      {data && (
        <>
          <FieldList fields={[["Subject", <bdi key="subject">{data.subject}</bdi>]]} />
          <RenderedMail mail={data} />
          <CheckList checks={checkTemplate(data)} />
          <LinkList links={listLinks(data.html ?? "")} />
        </>
      )}
      <SampleDataFields sample={sample} customerId={customer_id} />
    </Stack>
  );
}

/** The mail in one of its views. */
function RenderedMail({ mail }: { mail: Rendered }) {
  const [chosen, choose] = useState<View>("desktop");
  const [isDark, setDark] = useState(false);
  const view = mail.html === null ? "text" : chosen;
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          data={views}
          value={view}
          onChange={(value) => choose(value as View)}
          disabled={mail.html === null}
          aria-label="View"
          transitionDuration={0}
        />
        <Switch
          label="Dark"
          disabled={view === "text"}
          checked={isDark}
          onChange={(event) => setDark(event.currentTarget.checked)}
        />
      </Group>
      {mail.html === null || view === "text"
        ? <Text component="pre" size="sm" className="mail-text">{mail.text ?? ""}</Text>
        : (
          <Center>
            <MailFrame
              html={mail.html}
              title="Preview of the mail"
              width={view === "phone" ? phoneWidth : undefined}
              isDark={isDark}
            />
          </Center>
        )}
      {isDark && view !== "text" && (
        <Text size="xs" c="dimmed">
          Shows the styles for dark schemes, and a dark page where the mail sets no colors. Some
          programs also change the colors of a mail.
        </Text>
      )}
    </>
  );
}

interface PreviewInput {
  templateId: string;
  contents: Contents;
  customerId: string | undefined;
  data: SampleData["data"];
}

function usePreview({ templateId, contents, customerId, data }: PreviewInput) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [workspaceId, "template preview", templateId, customerId, contents, data],
    queryFn: ({ signal }) =>
      api.call("POST /templates/{id}/preview", {
        params: { id: templateId },
        body: {
          ...contents,
          ...customerId ? { customer_id: customerId } : {},
          ...data ? { data } : {},
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
