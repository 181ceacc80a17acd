import { Button, Text, TextInput } from "@mantine/core";
import { BookmarkIcon, TrashIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ViewedList } from "../../../supabase/functions/api/contract/views.ts";
import { isConflict } from "../api/api_client.ts";
import type { View } from "../api/types.ts";
import { useApiAction, useWholeList } from "../api/use_api.ts";
import { useDraftState } from "../api/use_draft.ts";
import { useMay } from "../api/workspace.ts";
import { passing, useFilters } from "../url/use_filters.ts";
import { ConfirmModal } from "./confirm_modal.tsx";
import { FormModal } from "./form_modal.tsx";
import { useDraftDialog } from "./use_draft_dialog.ts";
import { Menu } from "./overlays.tsx";

interface ViewsMenuProps {
  list: ViewedList;
}

/** Saved views of a list, which the whole workspace shares. */
export function ViewsMenu({ list }: ViewsMenuProps) {
  const mayEdit = useMay("member");
  const views = useWholeList("GET /views", { query: { list } });
  const current = useCurrentView();
  const open = useOpenView();
  const [isSaving, saving] = useDraftDialog(`view:${list}`);
  const [removed, setRemoved] = useState<View>();
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<BookmarkIcon />}>Views</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => open(view)}>
              <Text size="sm" truncate dir="auto">{view.name}</Text>
            </Menu.Item>
          ))}
          {mayEdit && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<BookmarkIcon />} onClick={saving.open}>
                Save this view…
              </Menu.Item>
              {views.map((view) => (
                <Menu.Item
                  key={view.id}
                  leftSection={<TrashIcon />}
                  onClick={() => setRemoved(view)}
                >
                  <Text size="sm" truncate>
                    Delete <bdi>{view.name}</bdi>
                  </Text>
                </Menu.Item>
              ))}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveViewModal
        key={String(isSaving)}
        list={list}
        current={current}
        isOpen={isSaving}
        close={saving.close}
      />
      {removed && <DeleteViewModal view={removed} close={() => setRemoved(undefined)} />}
    </>
  );
}

interface CurrentView {
  filters: Record<string, string>;
  columns: string[] | null;
}

/** The filters and columns in the page's address. */
function useCurrentView(): CurrentView {
  const given = Object.entries(useFilters().filters) as [string, string | undefined][];
  const filters = given.filter((entry): entry is [string, string] =>
    entry[1] !== undefined && !passing.includes(entry[0])
  );
  const columns = given.find(([name]) => name === "columns")?.[1];
  return { filters: Object.fromEntries(filters), columns: columns?.split(",") ?? null };
}

/** Returns a function that shows exactly what a view says. */
function useOpenView(): (view: View) => void {
  const navigate = useNavigate();
  return ({ filters, columns }) => {
    const search = { ...filters, ...columns ? { columns: columns.join(",") } : {} };
    // The router knows the filters of literal paths only.
    void navigate({ to: ".", search: search as never });
  };
}

interface SaveViewProps {
  list: ViewedList;
  current: CurrentView;
  isOpen: boolean;
  close: () => void;
}

function SaveViewModal({ list, current, isOpen, close }: SaveViewProps) {
  const [name, setName, draft] = useDraftState(`view:${list}`, "");
  const save = useApiAction("POST /views", () => ({ body: { list, name, ...current } }), {
    onSuccess: () => {
      draft.forget();
      close();
    },
  });
  const isTaken = isConflict(save.error);
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Save this view"
      submitLabel="Save view"
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      isIncomplete={name.trim() === ""}
      error={isTaken ? null : save.error}
      draft={draft}
    >
      <TextInput
        label="Name"
        description="Everyone in the workspace sees it. It saves the filters and the columns."
        value={name}
        onChange={(event) => {
          save.reset();
          setName(event.currentTarget.value);
        }}
        error={isTaken && "This list has a view with this name"}
        data-autofocus
      />
    </FormModal>
  );
}

function DeleteViewModal({ view, close }: { view: View; close: () => void }) {
  const remove = useApiAction("DELETE /views/{id}", () => ({ params: { id: view.id } }), {
    onSuccess: close,
  });
  return (
    <ConfirmModal
      isOpen
      close={close}
      title="Delete this view?"
      confirmLabel="Delete view"
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Deletes the view <bdi>{view.name}</bdi> for everyone. The rows that it lists stay.
      </Text>
    </ConfirmModal>
  );
}
