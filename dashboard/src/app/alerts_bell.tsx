import { ActionIcon, Badge, Text } from "@mantine/core";
import { BellIcon } from "@primer/octicons-react";
import { useApiItem } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import { linkTo } from "../ui/link_to.ts";
import { TimeAgo } from "../ui/time_ago.tsx";
import { Menu } from "../ui/overlays.tsx";

const most = 9;

/** The open alerts of the workspace. */
export function AlertsBell() {
  const { id } = useWorkspace();
  const alerts = useApiItem("GET /alerts", { query: { state: "open", limit: most + 1 } }, {
    refetchInterval: 30_000,
  });
  const open = alerts.data?.data ?? [];
  const count = open.length > most ? `${most}+` : `${open.length}`;
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
        {open.slice(0, most).map((alert) => (
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
