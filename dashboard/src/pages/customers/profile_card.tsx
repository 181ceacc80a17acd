import { Box, Code, Divider, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { Customer } from "../../api/types.ts";
import { countryOf } from "./country_of.ts";
import { MailingLine } from "./mailing_line.tsx";
import { type ProfileField, profileFieldNames, profileFields } from "./profile_fields.ts";
import { FilterValue } from "../../conditions/filter_value.tsx";
import { sortKeys } from "../../format/sort_keys.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { Fold } from "../../ui/fold.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

interface ProfileCardProps {
  customer: Customer;
  /** Opens the form of the profile, for those who may change it. */
  edit: (() => void) | undefined;
}

/** Profile and attributes of a customer. Phones fold most of it, so that the timeline is in sight. */
export function ProfileCard({ customer, edit }: ProfileCardProps) {
  const [isOpen, { toggle }] = useDisclosure();
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
          ...listProfile(customer, ["email"]),
          ["Can be mailed", <MailingLine key="mailing" customer={customer} edit={edit} />],
          ["Last seen", <TimeAgo key="seen" time={customer.last_seen_at} />],
        ]}
      />
      <Box mt="sm">
        <Fold
          label={isOpen ? "Fewer fields" : "All fields and attributes"}
          until="sm"
          isOpen={isOpen}
          toggle={toggle}
        >
          <Rest customer={customer} />
        </Fold>
      </Box>
    </Paper>
  );
}

function Rest({ customer }: { customer: Customer }) {
  const attributes = Object.entries(sortKeys(customer.attributes));
  const missing = listMissing(customer);
  return (
    <>
      <FieldList
        fields={[
          ...listProfile(customer, profileFieldNames.filter((name) => name !== "email")),
          ["Created", <TimeAgo key="created" time={customer.created_at} />],
          ["Customer ID", <IdText key="id" value={customer.id} label="customer ID" />],
        ]}
      />
      {missing.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          Not known: {missing.map((name) => profileFields[name].label.toLowerCase()).join(", ")}
        </Text>
      )}
      <Divider my="md" />
      <Title order={2} size="h5" mb="sm">Attributes</Title>
      {attributes.length === 0
        ? <Text size="sm" c="dimmed">No attributes yet. Send an identify call to add some.</Text>
        : <FieldList fields={attributes.map(([key, value]) => [key, showAttribute(key, value)])} />}
    </>
  );
}

/** Those of the named fields that have a value. */
function listProfile(customer: Customer, names: readonly ProfileField[]): Field[] {
  const missing = listMissing(customer);
  return names.filter((name) => !missing.includes(name)).map((name) => [
    profileFields[name].label,
    name === "country" ? showCountry(customer) : showField(name, customer[name]),
  ]);
}

/** The fields without a value, which share a line. */
function listMissing(customer: Customer): ProfileField[] {
  return profileFieldNames.filter((name) =>
    name === "country" ? countryOf(customer) === null : customer[name] === null
  );
}

function showField(name: ProfileField, value: string | null): ReactNode {
  if (value === null) return null;
  const text = profileFields[name].format?.(value) ?? value;
  if (name === "email") return <span className="whole-row">{text}</span>;
  const isShared = ["country", "locale", "timezone"].includes(name);
  return isShared
    ? <FilterValue list="customers" place={{ field: name }} value={value}>{text}</FilterValue>
    : text;
}

function showCountry(customer: Customer): ReactNode {
  const country = countryOf(customer);
  if (country === null || country.field === "country") {
    return showField("country", customer.country);
  }
  const { field, value } = country;
  return (
    <FilterValue list="customers" place={{ field }} value={value}>
      <bdi>{value}</bdi>
    </FilterValue>
  );
}

/** Links a value to the customers that have it. */
function showAttribute(key: string, value: unknown): ReactNode {
  const shown = showValue(value);
  // A dot separates the names of a path.
  if (key.includes(".")) return shown;
  return (
    <FilterValue key={key} list="customers" place={{ field: `attributes.${key}` }} value={value}>
      {shown}
    </FilterValue>
  );
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
