import { Button } from "@mantine/core";
import { KeyAsteriskIcon, PencilIcon, TrashIcon } from "@primer/octicons-react";
import { useReducer, useState } from "react";
import type { Source } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ActionsMenu, EnableButton } from "../../ui/actions_menu.tsx";
import { showError } from "../../ui/show_error.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay } from "../../api/workspace.ts";
import { schemeTexts } from "./schemes.ts";
import { Menu } from "../../ui/overlays.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const DeleteSourceModal = lateDialog(async () =>
  (await import("./source_dialogs.tsx")).DeleteSourceModal
);
const EditSourceModal = lateDialog(async () =>
  (await import("./source_dialogs.tsx")).EditSourceModal
);
const SourceSecretModal = lateDialog(async () =>
  (await import("./source_dialogs.tsx")).SourceSecretModal
);

type Dialog = "edit" | "secret" | "delete";

export function SourceActions({ source }: { source: Source }) {
  const isEditKept = useReturningNames(`source:${source.id}`).length > 0;
  const [dialog, setDialog] = useState<Dialog | null>(isEditKept ? "edit" : null);
  const [openings, countOpening] = useReducer((count: number) => count + 1, 0);
  const { opener, giveBack } = useOpener();
  const isAdmin = useMay("admin");
  const toggle = useApiAction(
    "PATCH /sources/{id}",
    () => ({ params: { id: source.id }, body: { enabled: !source.enabled } }),
    { onError: showError },
  );
  if (!isAdmin) return null;
  const open = (name: Dialog) => {
    countOpening();
    setDialog(name);
  };
  const props = (name: Dialog) => ({
    source,
    isOpen: dialog === name,
    close: () => {
      setDialog(null);
      // The button Edit gets the focus back from its dialog.
      if (name !== "edit") giveBack();
    },
  });
  return (
    <>
      {!source.has_secret && (
        <Button
          leftSection={<KeyAsteriskIcon />}
          onClick={() => open("secret")}
        >
          Set secret
        </Button>
      )}
      <Button variant="default" leftSection={<PencilIcon />} onClick={() => open("edit")}>
        Edit
      </Button>
      <EnableButton
        enabled={source.enabled}
        isPending={toggle.isPending}
        toggle={() => toggle.mutate()}
      />
      <ActionsMenu opener={opener}>
        {source.has_secret && !schemeTexts[source.scheme].isWithoutSecret && (
          <Menu.Item
            leftSection={<KeyAsteriskIcon />}
            onClick={() => open("secret")}
          >
            Rotate secret
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<TrashIcon />}
          className="danger-item"
          onClick={() => open("delete")}
        >
          Delete
        </Menu.Item>
      </ActionsMenu>
      <EditSourceModal key={openings} {...props("edit")} />
      <SourceSecretModal {...props("secret")} />
      <DeleteSourceModal {...props("delete")} />
    </>
  );
}
