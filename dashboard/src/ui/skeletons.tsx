import { Container, Group, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

export function LoadingPage() {
  return (
    <Container size="xl" py="xl" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack>
        <Skeleton h={28} w={220} />
        <Skeleton h={16} w={380} maw="100%" />
        <Skeleton h={320} mt="md" />
      </Stack>
    </Container>
  );
}

/** An email that loads: its subject, a note and the frame. */
export function MailSkeleton() {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton h={12} w={60} radius="xl" />
      <Skeleton h={14} w={220} maw="100%" radius="xl" />
      <Skeleton h={12} w={320} maw="100%" radius="xl" />
      <Skeleton h={420} />
    </Stack>
  );
}

const rowCount = 8;

export function TableSkeleton({ columns }: { columns: number }) {
  return (
    <Paper p="md" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack gap="lg">
        {Array.from({ length: rowCount }, (_, row) => (
          <Group key={row} wrap="nowrap" gap="xl">
            {Array.from(
              { length: columns },
              (_, column) => <Skeleton key={column} h={12} radius="xl" w={`${100 / columns}%`} />,
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
