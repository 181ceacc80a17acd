import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { Brand } from "../ui/brand.tsx";
import { AlertsBell } from "./alerts_bell.tsx";
import { InvitationsLink } from "./invitations_link.tsx";
import { Navigation } from "./navigation.tsx";
import { SearchButton } from "./search_button.tsx";
import { UserMenu } from "../ui/user_menu.tsx";
import { WorkspaceSwitcher } from "./workspace_switcher.tsx";

export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { timezone } = useWorkspace();
  const path = useLocation({ select: (location) => location.pathname });
  useEffect(close, [path]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <a className="skip-link" href="#content">Skip to content</a>
      <AppShell.Header hiddenFrom="sm" px="md">
        <Group h="100%" justify="space-between">
          <Brand />
          <Burger
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={isOpen ? "Close menu" : "Open menu"}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main">
        <AppShell.Section pb="sm">
          <Group justify="space-between" px={6} pb="sm" pt={4}>
            <Brand />
            <Group gap={4}>
              <SearchButton />
              <AlertsBell />
              <Burger
                opened={isOpen}
                onClick={toggle}
                size="sm"
                hiddenFrom="sm"
                aria-label="Close menu"
              />
            </Group>
          </Group>
          <WorkspaceSwitcher />
          <InvitationsLink />
        </AppShell.Section>
        <AppShell.Section grow className="navigation">
          <Navigation />
        </AppShell.Section>
        <AppShell.Section pt="sm">
          <UserMenu workspaceZone={timezone} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: "none" }}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
