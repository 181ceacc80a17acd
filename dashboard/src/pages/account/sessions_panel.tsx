import { Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { DeviceDesktopIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { useEndOtherSessions, type UserSession, useSessions } from "../../api/sessions.ts";
import { describeBrowser } from "../../format/browsers.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

/** The list of places where the user is signed in, with a button that ends all other sessions. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEndOtherSessions();
  const [isAsking, { open, close }] = useDisclosure();
  const rows = sessions.data ?? [];
  const others = rows.filter(({ is_current }) => !is_current).length;
  return (
    <Paper p="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">Sessions</Title>
        <Button variant="default" disabled={others === 0} onClick={open}>
          Sign out everywhere else
        </Button>
      </Group>
      {sessions.isPending && <Skeleton h={60} />}
      {sessions.error && <ErrorState error={sessions.error} retry={sessions.refetch} />}
      {sessions.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed">Supabase Auth keeps no list of sessions here.</Text>
      )}
      <Stack component="ul" p={0} m={0} aria-label="Sessions" className="plain-list">
        {rows.map((session) => <SessionRow key={session.id} session={session} />)}
      </Stack>
      <ConfirmModal
        isOpen={isAsking}
        close={close}
        title="Sign out everywhere else?"
        confirmLabel="Sign out"
        action={end}
        onConfirm={() => end.mutate(undefined, { onSuccess: close })}
      >
        <Text size="sm">
          {others === 1 ? "One other session ends" : `${others} other sessions end`}{" "}
          immediately. This one stays.
        </Text>
      </ConfirmModal>
    </Paper>
  );
}

function SessionRow({ session }: { session: UserSession }) {
  const { user_agent, ip, is_current, created_at, last_active_at } = session;
  return (
    <Group component="li" gap="sm" wrap="nowrap">
      <DeviceDesktopIcon />
      <div>
        <Text size="sm" fw={550} component="div" title={user_agent ?? undefined}>
          {describeBrowser(user_agent)}
          {is_current && <Badge ml="xs" color="teal">This one</Badge>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {ip && <>{ip} ·</>} Signed in <TimeAgo time={created_at} /> ·{" "}
          {is_current ? "Active now" : (
            <>
              Last active <TimeAgo time={last_active_at} />
            </>
          )}
        </Text>
      </div>
    </Group>
  );
}
