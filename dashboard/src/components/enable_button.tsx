import { Button } from "@mantine/core";
import { PauseIcon, PlayIcon } from "@primer/octicons-react";

interface EnableButtonProps {
  enabled: boolean;
  isPending: boolean;
  toggle: () => void;
}

/** Enables what is disabled, and the other way round. */
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
