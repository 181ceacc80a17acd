import { Table, Text } from "@mantine/core";
import type { JsonObject } from "../../api/types.ts";
import { useNameOf } from "../../conditions/use_references.ts";
import { type Change, isLong, nameField, readable, readChanges, showValue } from "./changes.ts";

/** The fields that a change made different, with their values before and after side by side. */
export function ChangeTable({ details }: { details: JsonObject }) {
  const nameOf = useNameOf(details);
  return (
    <Table className="changes" layout="fixed" aria-label="Before and after" withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Before</Table.Th>
          <Table.Th scope="col">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      {readChanges(details).map(([field, change]) => (
        <Table.Tbody key={field}>
          <Table.Tr>
            <Table.Th scope="rowgroup" colSpan={2} pb={0}>
              <Text size="xs" c="dimmed" fw={500} className="break-anywhere">
                {nameField(field)}
              </Text>
            </Table.Th>
          </Table.Tr>
          <ValueRow
            {...change}
            before={readable(field, change.before, nameOf)}
            after={readable(field, change.after, nameOf)}
          />
        </Table.Tbody>
      ))}
    </Table>
  );
}

function ValueRow({ before, after, is_too_long }: Change) {
  if (is_too_long) {
    return (
      <Table.Tr>
        <Table.Td colSpan={2}>Changed; too long to show</Table.Td>
      </Table.Tr>
    );
  }
  return (
    <Table.Tr>
      <Table.Td valign="top">
        <del>
          <Value value={before} />
        </del>
      </Table.Td>
      <Table.Td valign="top">
        <ins>
          <Value value={after} />
        </ins>
      </Table.Td>
    </Table.Tr>
  );
}

/** A value as text; a long object line by line. */
function Value({ value }: { value: unknown }) {
  const isTree = typeof value === "object" && value !== null && isLong(value) &&
    showValue(value).startsWith("{");
  return (
    <Text
      span
      size={isTree ? "xs" : "sm"}
      ff={isTree ? "monospace" : undefined}
      className="break-anywhere"
      dir="auto"
      style={isTree ? { whiteSpace: "pre-wrap" } : undefined}
    >
      {isTree ? JSON.stringify(value, null, 2) : showValue(value)}
    </Text>
  );
}
