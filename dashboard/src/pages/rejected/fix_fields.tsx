import { SegmentedControl, SimpleGrid, Text, TextInput } from "@mantine/core";
import type { Fix } from "./fix_entry.ts";

const kinds: { value: Fix["kind"]; label: string }[] = [
  { value: "rename", label: "Rename" },
  { value: "remove", label: "Remove" },
  { value: "set", label: "Set value" },
  { value: "none", label: "No change" },
];

interface FixFieldsProps {
  fix: Fix;
  onChange: (fix: Fix) => void;
  isDisabled: boolean;
}

/** The fields of a fix. */
export function FixFields({ fix, onChange, isDisabled }: FixFieldsProps) {
  const field = fix.kind === "none" ? "" : fix.field;
  return (
    <>
      <SegmentedControl
        aria-label="Fix"
        data={kinds}
        value={fix.kind}
        onChange={(kind) => onChange(changeKind(fix, kind as Fix["kind"]))}
        disabled={isDisabled}
        transitionDuration={0}
        fullWidth
      />
      {fix.kind === "none"
        ? (
          <Text size="sm" c="dimmed">
            Sends the entries as they are. Use this after you have fixed the mapping, or when a
            missing ID now exists.
          </Text>
        )
        : (
          <SimpleGrid cols={{ base: 1, xs: fix.kind === "remove" ? 1 : 2 }}>
            <TextInput
              label="Field"
              value={field}
              onChange={(event) => onChange({ ...fix, field: event.currentTarget.value })}
              classNames={{ input: "mono" }}
              disabled={isDisabled}
            />
            {fix.kind === "rename" && (
              <TextInput
                label="New name"
                value={fix.to}
                onChange={(event) => onChange({ ...fix, to: event.currentTarget.value })}
                classNames={{ input: "mono" }}
                disabled={isDisabled}
              />
            )}
            {fix.kind === "set" && (
              <TextInput
                label="Value"
                placeholder='Text or JSON: 5, true, "5"'
                value={fix.value}
                onChange={(event) => onChange({ ...fix, value: event.currentTarget.value })}
                classNames={{ input: "mono" }}
                disabled={isDisabled}
              />
            )}
          </SimpleGrid>
        )}
    </>
  );
}

/** Another kind of fix for the same field. */
function changeKind(fix: Fix, kind: Fix["kind"]): Fix {
  const field = fix.kind === "none" ? "" : fix.field;
  if (kind === "rename") return { kind, field, to: "" };
  if (kind === "set") return { kind, field, value: "" };
  return kind === "remove" ? { kind, field } : { kind };
}
