import { Avatar, Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { CheckIcon, ChevronDownIcon, PlusIcon } from "@primer/octicons-react";
import { lazy, Suspense } from "react";
import { useNavigate } from "@tanstack/react-router";
import { useDraftDialog } from "../ui/use_draft_dialog.ts";
import { useOpener } from "../ui/use_opener.ts";
import { useWorkspace } from "../api/workspace.ts";
import { useWorkspaces } from "../api/workspaces.ts";
import { Menu } from "../ui/overlays.tsx";
import { lateImport } from "../ui/late_import.ts";

const NewWorkspaceModal = lazy(() =>
  lateImport(() => import("../pages/account/new_workspace_modal.tsx"))
);

export function WorkspaceSwitcher() {
  const workspace = useWorkspace();
  const { data: workspaces = [], refetch } = useWorkspaces();
  const navigate = useNavigate();
  const { opener, giveBack } = useOpener();
  const [isCreating, { open, close }] = useDraftDialog("workspace:new", { onClose: giveBack });
  return (
    <>
      <Menu width="target" position="bottom-start" onOpen={() => void refetch()}>
        <Menu.Target>
          <UnstyledButton className="switcher" ref={opener}>
            <Group gap="xs" wrap="nowrap">
              <Avatar size={28} radius="md" color="signal" name={workspace.name} aria-hidden />
              <div style={{ flex: 1, minWidth: 0 }}>
                <Text size="sm" fw={600} truncate>{workspace.name}</Text>
                <Text size="xs" c="dimmed" tt="capitalize">{workspace.role}</Text>
              </div>
              <VisuallyHidden>Switch workspace</VisuallyHidden>
              <ChevronDownIcon />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name }) => (
            <Menu.Item
              key={id}
              onClick={() => void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } })}
              rightSection={id === workspace.id ? <CheckIcon /> : null}
            >
              <Text size="sm" truncate>{name}</Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<PlusIcon />} onClick={open}>New workspace</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{isCreating && <NewWorkspaceModal close={close} />}</Suspense>
    </>
  );
}
