import { Anchor, Box, Center, Group, Paper, Stack, Text } from "@mantine/core";
import { Outlet } from "@tanstack/react-router";
import { Brand } from "../../ui/brand.tsx";

export function AuthLayout() {
  return (
    <Box className="auth-page" component="main">
      <Center mih="100dvh" p="md">
        <Stack w="100%" maw={420} gap="lg">
          <Group justify="center">
            <Brand />
          </Group>
          <Paper p={{ base: "lg", sm: "xl" }} shadow="md">
            <Outlet />
          </Paper>
          <Text size="xs" c="dimmed" ta="center">
            Track events, unify customers, deliver webhooks.{" "}
            <Anchor href="/docs" inherit style={{ whiteSpace: "nowrap" }}>API reference</Anchor>
          </Text>
        </Stack>
      </Center>
    </Box>
  );
}
