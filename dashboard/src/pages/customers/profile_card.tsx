import { Code, Divider, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Customer } from "../../api/types.ts";
import { type ProfileField, profileFieldNames, profileFields } from "./profile_fields.ts";
import { sortKeys } from "../../format/sort_keys.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

export function ProfileCard({ customer }: { customer: Customer }) {
  const attributes = Object.entries(sortKeys(customer.attributes));
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
          ...profileFieldNames.map((name): Field => [
            profileFields[name].label,
            showField(name, customer[name]),
          ]),
          ["Created", <TimeAgo key="created" time={customer.created_at} />],
          ["Last seen", <TimeAgo key="seen" time={customer.last_seen_at} />],
          ["Customer ID", <IdText key="id" value={customer.id} label="customer ID" />],
        ]}
      />
      <Divider my="md" />
      <Title order={2} size="h5" mb="sm">Attributes</Title>
      {attributes.length === 0
        ? <Text size="sm" c="dimmed">No attributes yet. Send an identify call to add some.</Text>
        : <FieldList fields={attributes.map(([key, value]) => [key, showValue(value)])} />}
    </Paper>
  );
}

function showField(name: ProfileField, value: string | null): ReactNode {
  if (value === null) return null;
  const text = profileFields[name].format?.(value) ?? value;
  return name === "email" ? <span className="whole-row">{text}</span> : text;
}

const longestInColumn = 24;

/** Gives nested and long values a row of their own. */
function showValue(value: unknown): ReactNode {
  if (typeof value === "object" && value !== null) {
    return <Code block className="whole-row break-anywhere">{JSON.stringify(value, null, 2)}</Code>;
  }
  const text = String(value);
  return (
    <span className={text.length > longestInColumn ? "whole-row" : undefined} dir="auto">
      {text}
    </span>
  );
}
