import { Button, Container } from "@mantine/core";
import { TelescopeIcon } from "@primer/octicons-react";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { EmptyState } from "./empty_state.tsx";
import { reloadPage } from "./late_import.ts";
import { linkTo } from "./link_to.ts";
import { ErrorState } from "./error_state.tsx";
import { useMissingPage } from "./use_recent_page.ts";

export function MissingPage() {
  useMissingPage();
  return (
    <Container size="sm" py={80}>
      <EmptyState
        icon={TelescopeIcon}
        title="Page not found"
        order={1}
        action={<Button {...linkTo("/")}>Back to start</Button>}
      >
        This page doesn’t exist, or you don’t have access.
      </EmptyState>
    </Container>
  );
}

/** Shown when a page throws an error, or when its code cannot be loaded: it is, after a reload. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const isOfCode = error instanceof Error && /import|module|preload/i.test(error.message);
  return (
    <Container size="sm" py={80}>
      <ErrorState
        error={error instanceof Error ? error : new Error(String(error))}
        retry={isOfCode ? reloadPage : reset}
      />
    </Container>
  );
}
