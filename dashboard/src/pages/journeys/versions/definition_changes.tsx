import { Badge, Stack, Text } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import { describePartChange } from "../model/describe_change.ts";
import { diffDefinitions, type PartChange } from "../model/diff_definitions.ts";
import type { NameOf } from "../model/name_of.ts";
import { StepName } from "../publish/step_name.tsx";

interface DefinitionChangesProps {
  before: Definition;
  after: Definition;
  nameOf: NameOf;
  /** Text for two definitions that are equal. */
  empty?: string;
}

const kindColors = { added: "teal", removed: "red", changed: "yellow" } as const;
export const kindTexts = { added: "Added", removed: "Removed", changed: "Changed" } as const;

/** The difference between two definitions, as a list of changes. */
export function DefinitionChanges(
  { before, after, nameOf, empty = "No differences." }: DefinitionChangesProps,
) {
  const changes = diffDefinitions(before, after);
  if (changes.length === 0) return <Text size="sm" c="dimmed">{empty}</Text>;
  return (
    <Stack gap="md" component="ul" className="plain-list" m={0} p={0} aria-label="Changes">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.part}`} className="change">
          <Badge color={kindColors[change.kind]} className="change-kind">
            {kindTexts[change.kind]}
          </Badge>
          <StepName
            part={change.part}
            definition={change.kind === "removed" ? before : after}
            nameOf={nameOf}
          >
            <Lines change={change} nameOf={nameOf} />
          </StepName>
        </li>
      ))}
    </Stack>
  );
}

function Lines({ change, nameOf }: { change: PartChange; nameOf: NameOf }) {
  return describePartChange(change, nameOf).map(({ label, before, after }) => (
    <Text key={label} size="sm" mt={4} className="changes break-anywhere">
      <span className="dimmed">{`${label}: `}</span>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && " → "}
      {after !== undefined && <ins>{after}</ins>}
    </Text>
  ));
}
