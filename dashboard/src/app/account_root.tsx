import { AppShell, Container, Group } from "@mantine/core";
import { Outlet } from "@tanstack/react-router";
import { Brand } from "../ui/brand.tsx";
import { LoadingPage } from "../ui/skeletons.tsx";
import { useRequiredSession } from "./require_session.ts";
import { UserMenu } from "./user_menu.tsx";

/** Surrounds the pages of a user outside of any workspace, who may be in none. */
export function AccountRoot() {
  if (!useRequiredSession()) return <LoadingPage />;
  return (
    <AppShell header={{ height: 56 }} padding={0}>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Brand />
          <div className="account-menu">
            <UserMenu />
          </div>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Container size="sm" py="xl">
          <Outlet />
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
