import {
  Alert,
  Button,
  Center,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Title,
} from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";
import { isMissing } from "../../api/api_client.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { CheckList, LinkList, ProblemsLink } from "./check_list.tsx";
import { SampleDataFields } from "./sample_data_fields.tsx";
import { useAttributeNames } from "../../conditions/use_suggestions.ts";
import { listCustomerVariables, listLinks } from "./template_checks.ts";
import type { Preview, Rendered } from "./use_preview.ts";
import type { SampleData } from "./use_sample_data.ts";
import { useShownCustomer } from "./use_shown_customer.ts";

type View = "desktop" | "phone" | "text";

const views: { value: View; label: string }[] = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
  { value: "text", label: "Text only" },
];
const phoneWidth = 375;

export { ProblemsLink };

interface PreviewProps {
  preview: Preview;
  sample: SampleData;
}

/** Contents as a customer would get them, with what to fix. */
export function TemplatePreview({ preview: { rendered, error }, sample }: PreviewProps) {
  const { customerId, choose } = useShownCustomer();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h5">Preview</Title>
        <CustomerFilter value={customerId} onChange={choose} />
      </Group>
      {error && (
        <Alert color="red" icon={<AlertIcon />} title="It cannot be rendered" role="alert">
          <Text size="sm" className="break-anywhere">{error.message}</Text>
          {rendered && <Text size="sm" mt="xs">Below is the last one that could.</Text>}
          {customerId !== undefined && isMissing(error) && (
            <Button
              size="xs"
              variant="default"
              mt="xs"
              onClick={() => choose(undefined)}
            >
              Preview without a customer
            </Button>
          )}
        </Alert>
      )}
      {rendered && (
        <>
          {customerId === undefined && <CustomerHint rendered={rendered} />}
          <CheckList rendered={rendered} />
          <FieldList fields={[["Subject", <bdi key="subject">{rendered.subject}</bdi>]]} />
          <RenderedMail mail={rendered} />
          <LinkList links={listLinks(rendered.html ?? "")} />
        </>
      )}
      <SampleDataFields sample={sample} customerId={customerId} />
    </Stack>
  );
}

/** Says which values a customer would add to the preview. */
function CustomerHint({ rendered }: { rendered: Rendered }) {
  const variables = listCustomerVariables(rendered, useAttributeNames());
  if (variables.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" className="break-anywhere">
      Choose a customer to fill in {variables.join(", ")}.
    </Text>
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
              title="Preview of the email"
              width={view === "phone" ? phoneWidth : undefined}
              isDark={isDark}
            />
          </Center>
        )}
      {isDark && view !== "text" && (
        <Text size="xs" c="dimmed">
          Shows the styles for dark schemes, and a dark page where the email sets no colors. Some
          programs also change the colors of an email.
        </Text>
      )}
    </>
  );
}
