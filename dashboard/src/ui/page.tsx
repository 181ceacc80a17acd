import { Anchor, Box, Container, Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ArrowLeftIcon } from "@primer/octicons-react";
import { linkTo } from "./link_to.ts";
import { useListBefore } from "./use_list_before.ts";
import { useRecentPage } from "./use_recent_page.ts";

interface PageProps {
  title: string;
  /** Parameters of the address without which the page would show something else. */
  search?: Record<string, string>;
  /** Replaces the title in the heading, for instance to add a badge. */
  heading?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  children: ReactNode;
}

export function Page(
  { title, search, heading, description, actions, above, children }: PageProps,
) {
  useDocumentTitle(`${title} · Signalpost`);
  useRecentPage(title, search);
  return (
    <Container size="xl" py={{ base: "md", sm: "xl" }} px={{ base: "sm", sm: "xl" }}>
      {above}
      <Group justify="space-between" align="flex-start" mb="lg" gap="md" className="page-head">
        <Box style={{ minWidth: 0, flex: "1 1 240px" }}>
          <Title order={1} size="h2" lts="-0.015em" className="break-anywhere">
            {heading ?? title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4} component="div" className="balanced break-anywhere">
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs" className="page-actions">{actions}</Group>}
      </Group>
      {children}
    </Container>
  );
}

/** Leads from a resource back to its list, with the filters that it was opened from. */
export function BackLink({ path, children }: { path: string; children: string }) {
  const { to, search } = useListBefore(path);
  return (
    <Anchor
      {...linkTo(to, search)}
      size="sm"
      c="dimmed"
      mb="xs"
      display="block"
    >
      <Group gap={6}>
        <ArrowLeftIcon />
        {children}
      </Group>
    </Anchor>
  );
}
