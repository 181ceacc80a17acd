import { Group, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

const ROWS = 8;

export function TableSkeleton({ columns }: { columns: number }) {
  return (
    <Paper p="md" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack gap="lg">
        {Array.from({ length: ROWS }, (_, row) => (
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
