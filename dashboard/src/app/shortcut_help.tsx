import { Code, Table } from "@mantine/core";
import type { DialogProps } from "../ui/form_modal.tsx";
import { pageKeys } from "./shortcuts.ts";
import { Modal } from "../ui/overlays.tsx";

const rows: [keys: string[], text: string][] = [
  [["Ctrl", "K"], "Search, or go to a page"],
  [["/"], "The same"],
  [["?"], "Show these shortcuts"],
  ...Object.entries(pageKeys).map(([key, { label }]): [string[], string] => [["g", key], label]),
];

/** Lists the keyboard shortcuts. */
export default function ShortcutHelp({ isOpen, close }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts">
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {rows.map(([keys, text]) => (
            <Table.Tr key={keys.join(" ")}>
              <Table.Td>
                {keys.map((key) => <Code key={key} mr={6}>{key}</Code>)}
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
