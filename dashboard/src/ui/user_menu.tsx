import {
  Avatar,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import {
  BookIcon,
  DeviceDesktopIcon,
  KebabHorizontalIcon,
  MoonIcon,
  SignOutIcon,
  SunIcon,
} from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import { deleteDrafts } from "../api/use_draft.ts";
import { useServices } from "../api/services.ts";

const schemeTexts = [
  { value: "light", label: "Light", icon: <SunIcon /> },
  { value: "dark", label: "Dark", icon: <MoonIcon /> },
  { value: "auto", label: "System", icon: <DeviceDesktopIcon /> },
] as const;

export function UserMenu() {
  const { auth, config, session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  const navigate = useNavigate();
  // In this browser only. Works offline, and leaves nothing for the next user.
  const signOut = async () => {
    deleteDrafts();
    await auth.signOut({ scope: "local" });
    await navigate({ to: "/sign-in" });
  };
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu width="target" position="top-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <Group gap="xs" wrap="nowrap">
            <Avatar size={28} name={email} color="gray" aria-hidden />
            <Text size="sm" truncate flex={1}>{email}</Text>
            <VisuallyHidden>Theme and sign out</VisuallyHidden>
            <KebabHorizontalIcon />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {schemeTexts.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            leftSection={icon}
            onClick={() => setColorScheme(value)}
            fw={colorScheme === value ? 650 : undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component="a"
          href={`${config.baseUrl}/docs`}
          target="_blank"
          leftSection={<BookIcon />}
        >
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
