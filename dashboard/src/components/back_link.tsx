import { Anchor, Group } from "@mantine/core";
import { ArrowLeftIcon } from "@primer/octicons-react";
import { useWorkspace } from "../workspace.ts";
import { linkTo } from "./link_to.ts";

/** Leads from one resource back to its list. */
export function BackLink({ path, children }: { path: string; children: string }) {
  const { id } = useWorkspace();
  return (
    <Anchor {...linkTo(`/w/${id}${path}`)} size="sm" c="dimmed" mb="xs" display="block">
      <Group gap={6}>
        <ArrowLeftIcon />
        {children}
      </Group>
    </Anchor>
  );
}
