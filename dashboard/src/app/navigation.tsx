import { Badge, NavLink } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { navigation as alerts } from "../pages/alerts/mod.ts";
import { navigation as campaigns } from "../pages/campaigns/mod.ts";
import { navigation as catalogue } from "../pages/catalogue/mod.ts";
import { navigation as customers } from "../pages/customers/mod.ts";
import { navigation as destinations } from "../pages/destinations/mod.ts";
import { navigation as events } from "../pages/events/mod.ts";
import { navigation as explore } from "../pages/explore/mod.ts";
import { navigation as gettingStarted } from "../pages/getting_started/mod.ts";
import { navigation as journeys } from "../pages/journeys/mod.ts";
import { navigation as messages } from "../pages/messages/mod.ts";
import { navigation as overview } from "../pages/overview/mod.ts";
import { navigation as rejected } from "../pages/rejected/mod.ts";
import { navigation as segments } from "../pages/segments/mod.ts";
import { navigation as senders } from "../pages/senders/mod.ts";
import { navigation as sends } from "../pages/sends/mod.ts";
import { navigation as settings } from "../pages/settings/mod.ts";
import { navigation as sources } from "../pages/sources/mod.ts";
import { navigation as suppressions } from "../pages/suppressions/mod.ts";
import { navigation as templates } from "../pages/templates/mod.ts";
import { navigation as topics } from "../pages/topics/mod.ts";
import { linkTo } from "../ui/link_to.ts";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { NavigationGroup } from "./navigation_group.tsx";
import { isCounted, type NavigationCount, useNavigationCount } from "./use_navigation_count.ts";

/** Every page of the main navigation, by group. */
export const navigationGroups: { label?: string; entries: NavigationEntry[] }[] = [
  { entries: [overview, gettingStarted] },
  { label: "Data", entries: [events, catalogue, explore, customers, segments, sources, rejected] },
  {
    label: "Automation",
    entries: [journeys, campaigns, templates, topics, suppressions, senders, sends],
  },
  { label: "Webhooks", entries: [destinations, messages, alerts] },
  { label: "Workspace", entries: [settings] },
];

export function Navigation() {
  return navigationGroups.map(({ label, entries }) => {
    const links = entries.map((entry) => <NavigationLink key={entry.path} {...entry} />);
    return label
      ? <NavigationGroup key={label} label={label}>{links}</NavigationGroup>
      : <div key="">{links}</div>;
  });
}

interface NavigationLinkProps extends NavigationEntry {
  /** Marks the link on this page only, not on those below it. @default only for the first page */
  isExact?: boolean;
}

/** A link to a page of the workspace, for users who may read it. */
export function NavigationLink({ role = "viewer", ...props }: NavigationLinkProps) {
  if (!useMay(role)) return null;
  return isCounted(props.path) ? <CountedLink {...props} /> : <PageLink {...props} />;
}

function CountedLink(props: NavigationLinkProps) {
  return <PageLink {...props} count={useNavigationCount(props.path)} />;
}

interface PageLinkProps extends NavigationLinkProps {
  count?: NavigationCount | undefined;
}

function PageLink(
  { label, path, icon: Icon, isExact = path === "", count }: PageLinkProps,
) {
  const { id } = useWorkspace();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, "") });
  const to = `/w/${id}${path}`;
  const isActive = here === to || (!isExact && here.startsWith(`${to}/`));
  return (
    <NavLink
      {...linkTo(to)}
      activeOptions={{ exact: isExact }}
      label={label}
      leftSection={<Icon size={16} />}
      rightSection={count && (
        <Badge size="sm" color={path === "/alerts" ? "red" : "yellow"} aria-hidden>
          {count.text}
        </Badge>
      )}
      title={count?.title}
      active={isActive}
      aria-current={isActive ? "page" : undefined}
      className="nav-link"
    />
  );
}
