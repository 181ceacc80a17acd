import { Container, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

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
