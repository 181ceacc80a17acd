import { Anchor, Group } from "@mantine/core";
import { ArrowLeftIcon } from "@primer/octicons-react";
import { linkTo } from "../../ui/link_to.ts";

/** Leads from a page outside of any workspace to the workspaces, and stands above its title. */
export function WorkspacesLink() {
  return (
    <Anchor {...linkTo("/")} size="sm" c="dimmed" mb="xs" display="block">
      <Group gap={6}>
        <ArrowLeftIcon />
        Go to your workspaces
      </Group>
    </Anchor>
  );
}
