import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import { describeCondition } from "../../../conditions/describe.ts";
import { type DefinitionChange, diffDefinitions } from "../model/diff_definitions.ts";
import type { NamedKind, NameOf } from "../model/name_of.ts";

interface DefinitionChangesProps {
  before: Definition;
  after: Definition;
  nameOf: NameOf;
}

const kindColors = { added: "teal", removed: "red", changed: "yellow" } as const;
const kindTexts = { added: "Added", removed: "Removed", changed: "Changed" } as const;

/** The difference between two definitions, as a list of changes. */
export function DefinitionChanges({ before, after, nameOf }: DefinitionChangesProps) {
  const changes = diffDefinitions(before, after);
  if (changes.length === 0) return <Text size="sm" c="dimmed">They are the same.</Text>;
  return (
    <Stack gap="md" component="ul" className="plain-list" m={0} p={0} aria-label="Changes">
      {changes.map((change) => (
        <li key={change.part}>
          <Group gap="sm">
            <Badge color={kindColors[change.kind]}>{kindTexts[change.kind]}</Badge>
            <Text size="sm" fw={600} className="break-anywhere">{change.part}</Text>
          </Group>
          <Fields change={change} nameOf={nameOf} />
        </li>
      ))}
    </Stack>
  );
}

const namedKinds: readonly string[] = [
  "template",
  "sender",
  "topic",
  "segment",
  "destination",
];

function Fields({ change, nameOf }: { change: DefinitionChange; nameOf: NameOf }) {
  const show = (name: string, value: unknown): string => {
    const field = name.split(".").at(-1) ?? "";
    if (typeof value === "string" && namedKinds.includes(field)) {
      return nameOf(field as NamedKind, value);
    }
    if (name === "when" || name.endsWith(".when") || name === "") {
      return typeof value === "object" ? describeCondition(value, nameOf) : String(value);
    }
    return typeof value === "string" ? value : JSON.stringify(value) ?? "";
  };
  return change.fields.map(({ name, before, after }) => (
    <Text key={name} size="sm" ps="md" className="break-anywhere">
      {name !== "" && <Text span size="sm" c="dimmed">{`${name}: `}</Text>}
      {before !== undefined && <del>{show(name, before)}</del>}
      {before !== undefined && after !== undefined && " → "}
      {after !== undefined && <ins>{show(name, after)}</ins>}
    </Text>
  ));
}
