import { Button, Container } from "@mantine/core";
import { TelescopeIcon } from "@primer/octicons-react";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { EmptyState } from "./empty_state.tsx";
import { linkTo } from "./link_to.ts";
import { ErrorState } from "./error_state.tsx";

export function MissingPage() {
  return (
    <Container size="sm" py={80}>
      <EmptyState
        icon={TelescopeIcon}
        title="There is nothing at this address"
        action={<Button {...linkTo("/")}>Back to the start</Button>}
      >
        It may have been deleted, or it belongs to a workspace that you are not a member of.
      </EmptyState>
    </Container>
  );
}

/** A page that failed by itself, or whose code could not be loaded. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py={80}>
      <ErrorState error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </Container>
  );
}
