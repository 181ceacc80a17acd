import { Text } from "@mantine/core";
import { customerFields, type FieldType } from "../api/condition_rules.ts";
import type { SeenPath } from "./collect_paths.ts";
import { useAttributePaths } from "./use_suggestions.ts";
import { Autocomplete } from "../ui/overlays.tsx";

interface PathInputProps {
  value: unknown;
  onChange: (value: string) => void;
  hasError?: boolean;
}

interface FieldInputProps extends PathInputProps {
  /** Allows fields of a run's trigger. */
  allowsTrigger?: boolean;
}

/** Values that Segment's libraries send in a context. */
const contextPaths = [
  "page.path",
  "page.url",
  "page.referrer",
  "campaign.source",
  "locale",
  "timezone",
  "ip",
  "userAgent",
];

const profileFields = Object.keys(customerFields);

/** Chooses a field of the customer. A name that is not one of the profile is an attribute. */
export function FieldInput({ value, onChange, hasError, allowsTrigger }: FieldInputProps) {
  const attributes = useAttributePaths();
  const text = typeof value === "string" ? value : "";
  const complete = () => {
    const field = completeField(text, allowsTrigger);
    if (field !== text) onChange(field);
  };
  return (
    <Autocomplete
      aria-label="Field"
      className="condition-path"
      placeholder="Field or attribute"
      data={[
        { group: "Profile", items: profileFields },
        { group: "Attributes", items: attributes.map(({ path }) => `attributes.${path}`) },
      ]}
      limit={100}
      maxDropdownHeight={320}
      value={text}
      onChange={onChange}
      onBlur={complete}
      error={hasError}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
    />
  );
}

/** Returns the whole name of a field: "plan" is an attribute. */
export function completeField(text: string, allowsTrigger = false): string {
  const field = text.trim();
  if (field === "" || profileFields.includes(field)) return field;
  const prefixes = allowsTrigger ? ["attributes.", "trigger."] : ["attributes."];
  return prefixes.some((prefix) => field.startsWith(prefix)) ? field : `attributes.${field}`;
}

/** Returns the type of a field's values. */
export function typeOfField(field: unknown): FieldType {
  return customerFields[String(field)] ?? "any";
}

interface PropertyInputProps extends PathInputProps {
  paths: readonly SeenPath[];
}

/** Chooses a property of an event. */
export function PropertyInput({ value, onChange, hasError, paths }: PropertyInputProps) {
  return (
    <Autocomplete
      aria-label="Property"
      className="condition-path"
      placeholder="Property"
      data={paths.map(({ path }) => path)}
      limit={100}
      maxDropdownHeight={320}
      value={typeof value === "string" ? value : ""}
      onChange={onChange}
      error={hasError}
    />
  );
}

/** Chooses a value of an event's context. */
export function ContextInput({ value, onChange, hasError }: PathInputProps) {
  return (
    <Autocomplete
      aria-label="Context"
      className="condition-path"
      placeholder="page.path"
      leftSection={<Text size="sm" c="dimmed">context.</Text>}
      leftSectionWidth={72}
      leftSectionPointerEvents="none"
      data={contextPaths}
      value={typeof value === "string" ? value : ""}
      onChange={onChange}
      error={hasError}
    />
  );
}
