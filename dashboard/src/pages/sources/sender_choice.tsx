import { SimpleGrid, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { senderGroups } from "./known_senders.ts";

/** Chooses where the webhooks of a new source come from. */
export function SenderChoice() {
  return (
    <Stack gap="lg">
      {senderGroups.map((group) => <SenderGroup key={group.label} {...group} />)}
    </Stack>
  );
}

function SenderGroup({ label, senders }: typeof senderGroups[number]) {
  const { id: workspaceId } = useWorkspace();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h6" mb="xs" id={id}>{label}</Title>
      <SimpleGrid
        component="ul"
        cols={{ base: 2, sm: 3, lg: 5 }}
        spacing="xs"
        className="plain-list"
        m={0}
        p={0}
      >
        {senders.map((sender) => (
          <li key={sender.key}>
            <UnstyledButton
              {...linkTo(`/w/${workspaceId}/sources/new`, { sender: sender.key })}
              className="choice"
              style={{ display: "flex", alignItems: "center" }}
            >
              <Text size="sm" fw={600}>{sender.label}</Text>
            </UnstyledButton>
          </li>
        ))}
      </SimpleGrid>
    </section>
  );
}
