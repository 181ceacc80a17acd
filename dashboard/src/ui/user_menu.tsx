import {
  Avatar,
  Group,
  type MantineColorScheme,
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
  PersonIcon,
  SignOutIcon,
  SunIcon,
} from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import { useServices } from "../api/services.ts";
import { linkTo } from "./link_to.ts";
import { themes } from "./themes.ts";
import { useSignOut } from "./use_sign_out.ts";
import { ZoneItems } from "./zone_items.tsx";
import { Menu } from "./overlays.tsx";

const themeIcons = { light: <SunIcon />, dark: <MoonIcon />, auto: <DeviceDesktopIcon /> };

interface UserMenuProps {
  /** The zone of the open workspace. */
  workspaceZone?: string;
}

export function UserMenu({ workspaceZone }: UserMenuProps) {
  const { config, session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  const signOut = useSignOut();
  const { workspaceId } = useParams({ strict: false });
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu width="target" position="top-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <Group gap="xs" wrap="nowrap">
            <Avatar size={28} name={email} color="gray" aria-hidden />
            <Text size="sm" truncate flex={1}>{email}</Text>
            <VisuallyHidden>Theme, time zone and sign out</VisuallyHidden>
            <KebabHorizontalIcon />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {themes.map(({ value, label }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              closeMenuOnClick
              rightSection={themeIcons[value]}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <ZoneItems workspaceZone={workspaceZone} />
        <Menu.Divider />
        <Menu.Item
          {...linkTo(workspaceId ? `/w/${workspaceId}/settings/account` : "/account")}
          leftSection={<PersonIcon />}
        >
          Account
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${config.baseUrl}/docs`}
          target="_blank"
          leftSection={<BookIcon />}
        >
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
