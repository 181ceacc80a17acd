import { Button, Group, Modal, Stack } from "@mantine/core";
import dayjs from "dayjs";
import { useState } from "react";
import { TimeInput } from "./time_input.tsx";

interface ChosenRange {
  since?: string;
  until?: string;
}

interface CustomRangeModalProps {
  initial: ChosenRange;
  choose: (range: ChosenRange) => void;
  close: () => void;
}

export default function CustomRangeModal({ initial, choose, close }: CustomRangeModalProps) {
  const [since, setSince] = useState(toLocal(initial.since));
  const [until, setUntil] = useState(toLocal(initial.until));
  const isBackwards = since !== null && until !== null && since >= until;
  const apply = () => {
    choose({ since: toUtc(since), until: toUtc(until) });
    close();
  };
  return (
    <Modal opened onClose={close} title="Custom time range">
      <Stack>
        <TimeInput label="From" clearable value={since} onChange={setSince} />
        <TimeInput
          label="To"
          description="Leave empty for now"
          clearable
          value={until}
          onChange={setUntil}
          error={isBackwards && "Must be after the start time"}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>Cancel</Button>
          <Button onClick={apply} disabled={isBackwards || (!since && !until)}>Apply</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Formats a time for the picker: local, without a zone. */
function toLocal(time: string | undefined): string | null {
  return time ? dayjs(time).format("YYYY-MM-DD HH:mm:ss") : null;
}

function toUtc(local: string | null): string | undefined {
  return local ? dayjs(local).toISOString() : undefined;
}
