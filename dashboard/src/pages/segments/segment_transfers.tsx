import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { UploadIcon } from "@primer/octicons-react";
import type { Segment } from "../../api/types.ts";
import { useMay } from "../../api/workspace.ts";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const ImportMembersModal = lateDialog(async () =>
  (await import("./import_members_modal.tsx")).ImportMembersModal
);

/** Exports the members of a segment, and imports those of a static one. */
export function SegmentTransfers({ segment }: { segment: Segment }) {
  const mayEdit = useMay("member");
  const [isImporting, { open, close }] = useDisclosure();
  return (
    <>
      <ExportMenu route="GET /segments/{id}/export" input={{ params: { id: segment.id } }} />
      {segment.kind === "static" && mayEdit && (
        <>
          <Button variant="default" leftSection={<UploadIcon />} onClick={open}>Import CSV</Button>
          <ImportMembersModal
            key={String(isImporting)}
            segment={segment}
            isOpen={isImporting}
            close={close}
          />
        </>
      )}
    </>
  );
}
