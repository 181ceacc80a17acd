import { AppShell, Box, Container, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Brand } from "../../ui/brand.tsx";
import { OverlayPlace } from "../../ui/overlay_place.tsx";
import { UserMenu } from "../../ui/user_menu.tsx";

/** Surrounds the pages outside of any workspace, where a user without one can sign out. */
export function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <AppShell header={{ height: 56 }} padding={0}>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Brand />
          <Box miw={0}>
            <UserMenu />
          </Box>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Container size="sm" py="xl">{children}</Container>
        <OverlayPlace />
      </AppShell.Main>
    </AppShell>
  );
}
