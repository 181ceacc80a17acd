import { Button, Container } from "@mantine/core";
import { TelescopeIcon } from "@primer/octicons-react";
import { EmptyState } from "./empty_state.tsx";
import { linkTo } from "./link_to.ts";

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
