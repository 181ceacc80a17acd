import { ActionIcon, Badge, Text } from "@mantine/core";
import { BellIcon } from "@primer/octicons-react";
import { countUpTo, mostCounted, useOpenAlerts } from "../api/use_unresolved.ts";
import { useWorkspace } from "../api/workspace.ts";
import { linkTo } from "../ui/link_to.ts";
import { TimeAgo } from "../ui/time_ago.tsx";
import { Menu } from "../ui/overlays.tsx";

/** The open alerts of the workspace. */
export function AlertsBell() {
  const { id } = useWorkspace();
  const open = useOpenAlerts().data?.data ?? [];
  const count = countUpTo(open.length);
  const label = open.length === 0
    ? "No open alerts"
    : `${count} open alert${open.length === 1 ? "" : "s"}`;
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} className="bell">
          <BellIcon />
          {open.length > 0 && (
            <Badge size="xs" color="red" circle className="bell-count">{count}</Badge>
          )}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        {open.slice(0, mostCounted).map((alert) => (
          <Menu.Item key={alert.id} {...linkTo(`/w/${id}/alerts`, { state: "open" })}>
            <Text size="sm" className="break-anywhere">{alert.message}</Text>
            <Text size="xs" c="dimmed" component="div">
              <TimeAgo time={alert.opened_at} />
            </Text>
          </Menu.Item>
        ))}
        <Menu.Item {...linkTo(`/w/${id}/alerts`)}>All alerts and rules</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
