import { Badge, Group, Text } from "@mantine/core";
import { CheckCircleIcon, XCircleIcon } from "@primer/octicons-react";
import { TimeAgo } from "../ui/time_ago.tsx";
import { describeCondition, type NameOf } from "./describe.ts";
import { type Draft, isNegation, readGroup } from "./draft.ts";
import { useNameOf } from "./use_references.ts";

/** A condition with the answer of each part for one customer. */
export function ExplainedTree({ tree }: { tree: Draft }) {
  const nameOf = useNameOf(tree);
  return (
    <ul className="explained" aria-label="Explained condition">
      <ExplainedNode node={tree} nameOf={nameOf} />
    </ul>
  );
}

interface NodeProps {
  node: Draft;
  nameOf: NameOf;
}

function ExplainedNode({ node, nameOf }: NodeProps) {
  const group = readGroup(node);
  const members = group?.items ?? (isNegation(node) ? [node.not] : []);
  const title = group
    ? group.kind === "all" ? "All of these" : "Any of these"
    : isNegation(node)
    ? "Not"
    : describeCondition(node, nameOf);
  return (
    <li>
      <Answer node={node} title={title} />
      {members.length > 0 && (
        <ul className="explained">
          {members.map((member, index) => (
            <ExplainedNode key={index} node={member} nameOf={nameOf} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Answer({ node, title }: { node: Draft; title: string }) {
  const holds = node.is === true;
  const Icon = holds ? CheckCircleIcon : XCircleIcon;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" py={4}>
      <Text c={holds ? "green" : "red"} component="span" lh={1.4}>
        <Icon aria-label={holds ? "Yes" : "No"} />
      </Text>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" className="break-anywhere">{title}</Text>
        {/* The title says in words what was needed. */}
        {node.needed !== undefined && (
          <Text size="xs" c="dimmed" className="break-anywhere">
            Found: {formatFound(node.found)}
          </Text>
        )}
        {typeof node.changes_at === "string" && (
          <Badge color="yellow" mt={2}>
            changes <TimeAgo time={node.changes_at} />
          </Badge>
        )}
      </div>
    </Group>
  );
}

function formatFound(found: unknown): string {
  if (found === undefined || found === null) return "nothing";
  return typeof found === "string" ? found : JSON.stringify(found);
}
