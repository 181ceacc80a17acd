import { Divider, Paper, Text, Title } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

export function ProfileCard({ customer }: { customer: Customer }) {
  const attributes = Object.entries(customer.attributes);
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Profile</Title>
      <FieldList
        fields={[
          [
            "External ID",
            customer.external_id && (
              <IdText key="external" value={customer.external_id} label="external ID" />
            ),
          ],
          [
            "Email",
            customer.email && <span key="email" className="whole-row">{customer.email}</span>,
          ],
          ["Phone", customer.phone],
          ["First name", customer.first_name],
          ["Last name", customer.last_name],
          ["Country", customer.country && countries.of(customer.country)],
          ["Time zone", customer.timezone],
          ["Language", customer.locale && nameLanguage(customer.locale)],
          ["First seen", <TimeAgo key="created" time={customer.created_at} />],
          ["Last seen", <TimeAgo key="seen" time={customer.last_seen_at} />],
          ["Customer ID", <IdText key="id" value={customer.id} label="customer ID" />],
        ]}
      />
      <Divider my="md" />
      <Title order={2} size="h5" mb="sm">Attributes</Title>
      {attributes.length === 0
        ? <Text size="sm" c="dimmed">No attributes yet. Send an identify call to add some.</Text>
        : <FieldList fields={attributes.map(([key, value]) => [key, formatValue(value)])} />}
    </Paper>
  );
}

/** Names a language in English, without the extensions of its tag: "German (Germany)". */
function nameLanguage(locale: string): string {
  return languages.of(new Intl.Locale(locale).baseName) ?? locale;
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
