import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

interface PhonePanelProps {
  isOpen: boolean;
  close: () => void;
  children: ReactNode;
}

/** The panel of a step, which covers the list of steps on a narrow screen. */
export function PhonePanel({ isOpen, close, children }: PhonePanelProps) {
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={close}
      position="bottom"
      size="85%"
      removeScrollProps={{ removeScrollBar: false }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Details">
        <Drawer.Body pt="md">{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
