import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { AppsIcon, KebabHorizontalIcon, PencilIcon, TrashIcon } from "@primer/octicons-react";
import type { View } from "../../api/types.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { renamedView } from "../../ui/views/current_view.ts";
import { boardOfView } from "./boards.ts";

const RenameViewModal = lateDialog(async () =>
  (await import("../../ui/views/view_modals.tsx")).RenameViewModal
);
const BoardModal = lateDialog(async () => (await import("./board_modal.tsx")).BoardModal);
const DeleteViewModal = lateDialog(async () =>
  (await import("../../ui/views/view_modals.tsx")).DeleteViewModal
);

/** Renames, moves or deletes a saved question. */
export function QuestionMenu({ view }: { view: View }) {
  const { opener, giveBack } = useOpener();
  const [isRenaming, renaming] = useDraftDialog(`${renamedView}${view.id}`, { onClose: giveBack });
  const [isMoving, moving] = useDraftDialog(`${boardOfView}${view.id}`, { onClose: giveBack });
  const [isDeleting, deleting] = useDisclosure(false, { onClose: giveBack });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            ref={opener}
            variant="subtle"
            color="gray"
            aria-label={`Actions for ${view.name}`}
          >
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<AppsIcon />} onClick={moving.open}>Board…</Menu.Item>
          <Menu.Item leftSection={<PencilIcon />} onClick={renaming.open}>Rename…</Menu.Item>
          <Menu.Item leftSection={<TrashIcon />} onClick={deleting.open}>Delete…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameViewModal isOpen={isRenaming} view={view} close={renaming.close} />
      <BoardModal isOpen={isMoving} view={view} close={moving.close} />
      <DeleteViewModal isOpen={isDeleting} view={view} close={deleting.close} />
    </>
  );
}
