import { Button, Group, SimpleGrid, Text, UnstyledButton } from "@mantine/core";
import { PasteIcon } from "@primer/octicons-react";
import { useImperativeHandle, useRef, useState } from "react";
import { stepKinds } from "../../../api/journey_definition.ts";
import { kindLabels, kindTexts } from "../model/describe_step.ts";
import type { Slot } from "../model/slots.ts";
import { recallSteps } from "./copied_steps.ts";
import { KindIcon } from "./kind_icon.tsx";
import { useEditor } from "./use_editor.ts";
import { Modal } from "../../../ui/overlays.tsx";

/** Chooses the kind of a step to add. The new step opens, and takes the focus. */
export function AddStepModal() {
  const { addDialog, insert, paste } = useEditor();
  const [adding, setAdding] = useState<Slot>();
  const opener = useRef<Element>(null);
  useImperativeHandle(addDialog, () => ({
    open: (slot) => {
      opener.current = document.activeElement;
      setAdding(slot);
    },
  }), []);
  const close = () => setAdding(undefined);
  const cancel = () => {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const copied = recallSteps();
  return (
    <Modal
      opened={adding !== undefined}
      onClose={cancel}
      title="Add a step"
      returnFocus={false}
      // Without a graphics card, each frame of a fade over the canvas is late.
      transitionProps={{ duration: 0 }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {stepKinds.map((kind, n) => (
          <UnstyledButton
            key={kind}
            className="choice"
            data-autofocus={n === 0 || undefined}
            onClick={() => {
              if (adding) insert(adding, kind);
              close();
            }}
          >
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <KindIcon kind={kind} />
              <div>
                <Text size="sm" fw={600}>{kindLabels[kind]}</Text>
                <Text size="xs" c="dimmed">{kindTexts[kind]}</Text>
              </div>
            </Group>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {copied !== "" && (
        <Button
          variant="default"
          mt="md"
          leftSection={<PasteIcon />}
          onClick={() => {
            if (adding) paste(adding, copied);
            close();
          }}
        >
          Paste the copied steps
        </Button>
      )}
    </Modal>
  );
}
