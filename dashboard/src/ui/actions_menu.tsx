import { ActionIcon, Button } from "@mantine/core";
import { KebabHorizontalIcon, PauseIcon, PlayIcon } from "@primer/octicons-react";
import type { ReactNode, Ref } from "react";
import { Menu } from "./overlays.tsx";

interface ActionsMenuProps {
  /** Ref of the button, which gets the focus back from the dialogs of its items. */
  opener: Ref<HTMLButtonElement>;
  /** The items of the menu. */
  children: ReactNode;
}

/** A page's further actions. */
export function ActionsMenu({ opener, children }: ActionsMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          ref={opener}
          variant="default"
          size="input-sm"
          className="page-menu"
          aria-label="More actions"
        >
          <KebabHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface EnableButtonProps {
  enabled: boolean;
  isPending: boolean;
  toggle: () => void;
}

/** Switches between enabled and disabled. */
export function EnableButton({ enabled, isPending, toggle }: EnableButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={enabled ? <PauseIcon /> : <PlayIcon />}
      loading={isPending}
      onClick={toggle}
    >
      {enabled ? "Disable" : "Enable"}
    </Button>
  );
}
