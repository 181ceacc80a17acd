import { Button, Group, Modal, SimpleGrid, Text, UnstyledButton } from "@mantine/core";
import { PasteIcon } from "@primer/octicons-react";
import { useEffect, useRef } from "react";
import { stepKinds } from "../../../api/journey_definition.ts";
import { kindLabels, kindTexts } from "../model/describe_step.ts";
import { recallSteps } from "./copied_steps.ts";
import { KindIcon } from "./kind_icon.tsx";
import { useEditor } from "./use_editor.ts";

/** Chooses the kind of a step to add. The new step opens, and takes the focus. */
export function AddStepModal() {
  const { adding, add, insert, paste } = useEditor();
  const opener = useRef<Element>(null);
  useEffect(() => {
    if (adding) opener.current = document.activeElement;
  }, [adding]);
  const close = () => add(undefined);
  const cancel = () => {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const copied = recallSteps();
  return (
    <Modal opened={adding !== undefined} onClose={cancel} title="Add a step" returnFocus={false}>
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
