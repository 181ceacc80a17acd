import { Group, Kbd, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { DialogProps } from "../ui/form_modal.tsx";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { Modal } from "../ui/overlays.tsx";
import { pageKeys } from "./page_keys.ts";

/** Keys that are pressed together or one after the other, and what they do. */
type Shortcut = [keys: string[], text: string];

const commandKey = navigator.userAgent.includes("Mac") ? "⌘" : "Ctrl";

const everywhere: Shortcut[] = [
  [[commandKey, "K"], "Search, or go to a page"],
  [["/"], "Search as well"],
  [["?"], "Show these shortcuts"],
  [["Esc"], "Close a dialog or panel"],
];

const lists: Shortcut[] = [
  [["j"], "Next row"],
  [["k"], "Previous row"],
  [["Enter"], "Open the row"],
  [["f"], "Go to the filters"],
];

interface ShortcutHelpProps extends DialogProps {
  pages: readonly NavigationEntry[];
}

/** Lists the keyboard shortcuts. */
export default function ShortcutHelp({ isOpen, close, pages }: ShortcutHelpProps) {
  const pageShortcuts = Object.entries(pageKeys).flatMap(([key, path]): Shortcut[] => {
    const page = pages.find((entry) => entry.path === path);
    return page ? [[["g", key], page.label]] : [];
  });
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Stack gap="lg">
          <Shortcuts title="Everywhere" shortcuts={everywhere} />
          <Shortcuts title="In a list" shortcuts={lists} />
        </Stack>
        <Shortcuts title="Go to a page" shortcuts={pageShortcuts} />
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="lg">
        Press keys like g and d one after the other. Shortcuts are off while you type or a dialog is
        open.
      </Text>
    </Modal>
  );
}

function Shortcuts({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb="xs">{title}</Title>
      <dl className="shortcuts">
        {shortcuts.map(([keys, text]) => (
          <Group key={text} justify="space-between" wrap="nowrap" py={5}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => <Kbd key={key}>{key}</Kbd>)}
            </dd>
          </Group>
        ))}
      </dl>
    </section>
  );
}
