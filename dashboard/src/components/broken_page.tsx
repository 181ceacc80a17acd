import { Container } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "./error_state.tsx";

/** A page that failed by itself, or whose code could not be loaded. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py={80}>
      <ErrorState error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </Container>
  );
}
