import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { BookmarkIcon, CheckIcon, PencilIcon, SyncIcon, TrashIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { ViewedList } from "../../../../supabase/functions/api/contract/views.ts";
import type { View } from "../../api/types.ts";
import { useApiAction, useWholeList } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay } from "../../api/workspace.ts";
import { lateDialog } from "../late_dialog.tsx";
import { Menu } from "../overlays.tsx";
import { showError } from "../show_error.ts";
import { useDraftDialog } from "../use_draft_dialog.ts";
import { useOpener } from "../use_opener.ts";
import {
  isSameContents,
  renamedView,
  useCurrentContents,
  useOpenedView,
  useOpenView,
  type ViewContents,
} from "./current_view.ts";

const SaveViewModal = lateDialog(async () => (await import("./view_modals.tsx")).SaveViewModal);
const RenameViewModal = lateDialog(async () => (await import("./view_modals.tsx")).RenameViewModal);
const DeleteViewModal = lateDialog(async () => (await import("./view_modals.tsx")).DeleteViewModal);

/** A dialog about a view. */
interface Asked {
  dialog: "rename" | "delete";
  id: string;
}

interface ViewsMenuProps {
  list: ViewedList;
}

/** Saved views of a list, which the whole workspace shares. */
export function ViewsMenu({ list }: ViewsMenuProps) {
  const mayEdit = useMay("member");
  const views = useWholeList("GET /views", { query: { list } });
  const contents = useCurrentContents();
  const opened = useOpenedView(views, contents);
  const { open, remember } = useOpenView();
  const { opener, giveBack } = useOpener();
  const [isSaving, saving] = useDraftDialog(`view:${list}`, { onClose: giveBack });
  const [renamedId] = useReturningNames(renamedView);
  const [asked, ask] = useState<Asked | undefined>(
    renamedId === undefined ? undefined : { dialog: "rename", id: renamedId },
  );
  const askedView = asked && views.find(({ id }) => id === asked.id);
  const close = () => {
    ask(undefined);
    giveBack();
  };
  const openView = (view: View) => {
    open(view);
    giveBack();
  };
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            ref={opener}
            variant="default"
            leftSection={<BookmarkIcon />}
            {...labelButton(opened)}
          />
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
          <ViewItems views={views} opened={opened} open={openView} />
          {mayEdit && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<BookmarkIcon />} onClick={saving.open}>
                Save this view…
              </Menu.Item>
              {opened && (
                <>
                  <Menu.Divider />
                  <OpenedItems view={opened} contents={contents} ask={ask} giveBack={giveBack} />
                </>
              )}
            </>
          )}
          {mayEdit && !opened && views.length > 0 && (
            <Menu.Label>Open a view to change, rename or delete it</Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveViewModal
        key={String(isSaving)}
        list={list}
        contents={contents}
        onSaved={remember}
        isOpen={isSaving}
        close={saving.close}
      />
      {askedView && asked.dialog === "rename" && (
        <RenameViewModal isOpen view={askedView} close={close} />
      )}
      {askedView && asked.dialog === "delete" && (
        <DeleteViewModal isOpen view={askedView} close={close} />
      )}
    </>
  );
}

/** Names the button after the view that is open. */
function labelButton(opened: View | undefined) {
  if (opened === undefined) return { children: "Views" };
  return {
    maw: 220,
    className: "view-button",
    "aria-label": `Views: ${opened.name}`,
    children: <Text span inherit truncate dir="auto">{opened.name}</Text>,
  };
}

interface ViewItemsProps {
  views: readonly View[];
  opened: View | undefined;
  open: (view: View) => void;
}

function ViewItems({ views, opened, open }: ViewItemsProps) {
  if (views.length === 0) return <Menu.Label>No saved views yet</Menu.Label>;
  return views.map((view) => (
    <Menu.Item
      key={view.id}
      aria-current={view === opened ? "true" : undefined}
      rightSection={view === opened && <CheckIcon />}
      onClick={() => open(view)}
    >
      <Text size="sm" truncate dir="auto">{view.name}</Text>
    </Menu.Item>
  ));
}

interface OpenedItemsProps {
  view: View;
  /** The page's own filters and columns. */
  contents: ViewContents;
  ask: (asked: Asked) => void;
  giveBack: () => void;
}

/** Actions on the view that is open. */
function OpenedItems({ view, contents, ask, giveBack }: OpenedItemsProps) {
  const update = useApiAction(
    "PATCH /views/{id}",
    () => ({ params: { id: view.id }, body: contents }),
    {
      onSuccess: () => notifications.show({ message: "View saved", color: "teal" }),
      onError: showError,
    },
  );
  return (
    <div role="group" aria-label={view.name}>
      <Menu.Label>
        <Text size="xs" truncate dir="auto">{view.name}</Text>
      </Menu.Label>
      {!isSameContents(view, contents) && (
        <Menu.Item
          leftSection={<SyncIcon />}
          onClick={() => {
            update.mutate();
            giveBack();
          }}
        >
          Save changes
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<PencilIcon />}
        onClick={() => ask({ dialog: "rename", id: view.id })}
      >
        Rename…
      </Menu.Item>
      <Menu.Item leftSection={<TrashIcon />} onClick={() => ask({ dialog: "delete", id: view.id })}>
        Delete…
      </Menu.Item>
    </div>
  );
}
