import { NavLink, Text } from "@mantine/core";
import {
  BroadcastIcon,
  CircleSlashIcon,
  GearIcon,
  GraphIcon,
  HistoryIcon,
  type Icon,
  InboxIcon,
  KeyIcon,
  MeterIcon,
  PaperAirplaneIcon,
  PeopleIcon,
  PersonIcon,
  RocketIcon,
  WebhookIcon,
} from "@primer/octicons-react";
import { useLocation } from "@tanstack/react-router";
import { linkTo } from "../components/link_to.ts";
import { useMay, useWorkspace } from "../workspace.ts";

interface Entry {
  label: string;
  /** Below the workspace's own path. */
  path: string;
  icon: Icon;
}

const GROUPS: { label?: string; entries: Entry[] }[] = [
  {
    entries: [
      { label: "Overview", path: "", icon: GraphIcon },
      { label: "Getting started", path: "/getting-started", icon: RocketIcon },
    ],
  },
  {
    label: "Data",
    entries: [
      { label: "Live events", path: "/events", icon: BroadcastIcon },
      { label: "Customers", path: "/customers", icon: PersonIcon },
      { label: "Sources", path: "/sources", icon: InboxIcon },
      { label: "Rejected entries", path: "/rejected", icon: CircleSlashIcon },
    ],
  },
  {
    label: "Webhooks",
    entries: [
      { label: "Destinations", path: "/destinations", icon: WebhookIcon },
      { label: "Deliveries", path: "/deliveries", icon: PaperAirplaneIcon },
    ],
  },
  {
    label: "Workspace",
    entries: [
      { label: "API keys", path: "/api-keys", icon: KeyIcon },
      { label: "Team", path: "/team", icon: PeopleIcon },
      { label: "Usage", path: "/usage", icon: MeterIcon },
      { label: "Audit log", path: "/audit-log", icon: HistoryIcon },
      { label: "Settings", path: "/settings", icon: GearIcon },
    ],
  },
];

/** Pages that only admins may read. */
const ADMIN_PATHS = new Set(["/api-keys", "/audit-log"]);

export function Navigation() {
  const isAdmin = useMay("admin");
  return GROUPS.map(({ label, entries }) => (
    <div key={label ?? ""}>
      {label && <Text size="xs" fw={600} c="dimmed" px={10} pt="md" pb={4}>{label}</Text>}
      {entries
        .filter(({ path }) => isAdmin || !ADMIN_PATHS.has(path))
        .map((entry) => <NavigationLink key={entry.path} {...entry} />)}
    </div>
  ));
}

function NavigationLink({ label, path, icon: Icon }: Entry) {
  const { id } = useWorkspace();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, "") });
  const to = `/w/${id}${path}`;
  const isActive = path === "" ? here === to : here === to || here.startsWith(`${to}/`);
  return (
    <NavLink
      {...linkTo(to)}
      activeOptions={{ exact: path === "" }}
      label={label}
      leftSection={<Icon size={16} />}
      active={isActive}
      aria-current={isActive ? "page" : undefined}
      className="nav-link"
      py={6}
    />
  );
}
