import { Button, Group } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.ts";
import { linkTo } from "./link_to.ts";

interface SectionTabsProps {
  /** Names the section to screen readers. */
  label: string;
  tabs: readonly { label: string; path: string }[];
}

/** Links between the pages of a section, above their titles. */
export function SectionTabs({ label, tabs }: SectionTabsProps) {
  const { id } = useWorkspace();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, "") });
  return (
    <Group component="nav" aria-label={label} gap={4} mb="sm">
      {tabs.map(({ label, path }) => {
        const isHere = here === `/w/${id}${path}`;
        return (
          <Button
            key={path}
            size="compact-sm"
            variant={isHere ? "light" : "subtle"}
            color={isHere ? undefined : "gray"}
            aria-current={isHere ? "page" : undefined}
            {...linkTo(`/w/${id}${path}`)}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}

/** The pages of events. */
export function EventTabs() {
  return <SectionTabs label="Events" tabs={eventTabs} />;
}

/** The pages of subscriptions. */
export function SubscriptionTabs() {
  return <SectionTabs label="Subscriptions" tabs={subscriptionTabs} />;
}

const eventTabs = [
  { label: "Live", path: "/events" },
  { label: "Catalogue", path: "/catalogue" },
  { label: "Explore", path: "/explore" },
];

const subscriptionTabs = [
  { label: "Topics", path: "/topics" },
  { label: "Suppressions", path: "/suppressions" },
];
