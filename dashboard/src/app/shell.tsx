import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { Brand } from "../ui/brand.tsx";
import { OverlayPlace } from "../ui/overlay_place.tsx";
import { useOpener } from "../ui/use_opener.ts";
import { AlertsBell } from "./alerts_bell.tsx";
import { InvitationsLink } from "./invitations_link.tsx";
import { Navigation } from "./navigation.tsx";
import { SearchButton, type SearchDialog, SearchDialogs } from "./search_dialogs.tsx";
import { UserMenu } from "../ui/user_menu.tsx";
import { WorkspaceSwitcher } from "./workspace_switcher.tsx";

/** As the breakpoint md, from which the menu is always open. */
const wide = "(min-width: 62em)";

export function Shell({ children }: { children: ReactNode }) {
  const { isOpen, opener, toggle, close, leave } = useMenu();
  const search = useRef<SearchDialog>(null);
  const actions = <HeaderActions search={search} />;
  const { timezone } = useWorkspace();
  const isWide = useMediaQuery(wide, matchMedia(wide).matches);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 248, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <a className="skip-link" href="#content">Skip to content</a>
      <AppShell.Header hiddenFrom="md" px={{ base: "md", sm: "xl" }}>
        <Group h="100%" justify="space-between">
          <Brand />
          <Group gap={4}>
            {!isWide && actions}
            <Burger
              ref={opener}
              opened={isOpen}
              onClick={toggle}
              size="sm"
              aria-label={isOpen ? "Close menu" : "Open menu"}
            />
          </Group>
        </Group>
      </AppShell.Header>
      {isOpen && <div className="navigation-cover" onClick={close} />}
      <AppShell.Navbar p="sm" aria-label="Main" data-open={isOpen || undefined}>
        <AppShell.Section pb="sm">
          <Group justify="space-between" px={6} pb="sm" pt={4}>
            <Brand />
            <Group gap={4}>
              {isWide && actions}
              <Burger
                opened={isOpen}
                onClick={leave}
                size="sm"
                hiddenFrom="md"
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
        <OverlayPlace />
        <SearchDialogs ref={search} />
      </AppShell.Main>
    </AppShell>
  );
}

/** The menu of narrow screens, which closes on the way to another page and on Escape. */
function useMenu() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { opener, giveBack } = useOpener();
  const leave = () => {
    close();
    giveBack();
  };
  const path = useLocation({ select: (location) => location.pathname });
  useEffect(close, [path]);
  useEscape(isOpen, leave);
  return { isOpen, opener, toggle, close, leave };
}

function HeaderActions({ search }: { search: RefObject<SearchDialog | null> }) {
  return (
    <>
      <SearchButton open={() => search.current?.open()} />
      <AlertsBell />
    </>
  );
}

/** Calls a function on Escape while the menu is open. Overlays within the menu keep the key. */
function useEscape(isOpen: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !isWithinOverlay(event.target)) leave();
    };
    // Before the overlay that it closes is gone.
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  });
}

function isWithinOverlay(target: EventTarget | null): boolean {
  return target instanceof Element &&
    target.closest("[role=dialog], [role=menu], [aria-haspopup][aria-expanded=true]") !== null;
}
