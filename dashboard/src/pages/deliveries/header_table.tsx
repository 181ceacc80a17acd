import { Table, Text } from "@mantine/core";

interface HeaderTableProps {
  /** Names the table for screen readers. */
  label: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** Headers of a request or response, one per row. */
export function HeaderTable({ label, headers }: HeaderTableProps) {
  return (
    <Table aria-label={label} layout="fixed" verticalSpacing={6}>
      <Table.Tbody>
        {headers.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={190} ff="monospace" fw={500} className="break-anywhere">
              {name}
            </Table.Th>
            <Table.Td>
              <Text size="xs" ff="monospace" className="break-anywhere">{value}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
