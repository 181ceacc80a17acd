import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@primer/octicons-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** Says what to do next. */
  children: ReactNode;
  action?: ReactNode;
  /** Level of the heading. @default 2, below that of the page */
  order?: 1 | 2;
}

export function EmptyState({ icon: Icon, title, children, action, order = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" ta="center" gap="xs" py={48} px="md">
      <ThemeIcon variant="light" size={52} radius="xl">
        <Icon size={24} />
      </ThemeIcon>
      <Title order={order} size="h4" mt="xs">{title}</Title>
      <Text c="dimmed" size="sm" maw={460}>{children}</Text>
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
