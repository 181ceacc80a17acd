import { Alert, Drawer } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { RejectedEntry } from "../../api/types.ts";
import { ResendForm } from "./resend_form.tsx";

interface RejectedDrawerProps {
  entry: RejectedEntry | null;
  close: () => void;
}

export function RejectedDrawer({ entry, close }: RejectedDrawerProps) {
  return (
    <Drawer
      opened={entry !== null}
      onClose={close}
      position="right"
      size="lg"
      title={<b>Rejected entry</b>}
      closeButtonProps={{ "aria-label": "Close the entry" }}
    >
      {entry && (
        <>
          <Alert color="orange" icon={<AlertIcon />} title={entry.error} mb="md">
            {entry.field && <>Field {entry.field}.</>}Request id {entry.request_id}
          </Alert>
          <ResendForm key={entry.id} entry={entry} />
        </>
      )}
    </Drawer>
  );
}
