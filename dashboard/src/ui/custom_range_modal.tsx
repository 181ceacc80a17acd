import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { TimeInput } from "./time_input.tsx";
import { Modal } from "./overlays.tsx";

interface ChosenRange {
  since?: string | undefined;
  until?: string | undefined;
}

interface CustomRangeModalProps {
  initial: ChosenRange;
  choose: (range: ChosenRange) => void;
  close: () => void;
}

export default function CustomRangeModal({ initial, choose, close }: CustomRangeModalProps) {
  const [since, setSince] = useState(readTime(initial.since));
  const [until, setUntil] = useState(readTime(initial.until));
  const isBackwards = since !== null && until !== null && Date.parse(since) >= Date.parse(until);
  const apply = () => {
    choose({ since: since ?? undefined, until: until ?? undefined });
    close();
  };
  return (
    <Modal opened onClose={close} title="Custom time range">
      <Stack>
        <TimeInput label="From" clearable value={since} onChange={setSince} />
        <TimeInput
          label="To"
          description="Until now if empty"
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

/** Returns the time of an address, which may be any text; null for any other text. */
function readTime(text: string | undefined): string | null {
  return text === undefined || Number.isNaN(Date.parse(text)) ? null : text;
}
