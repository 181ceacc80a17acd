import { Button, CopyButton } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@primer/octicons-react";

/** A button that copies a text, and says for a moment that it has. */
export function CopyTextButton({ value, label = "Copy" }: { value: string; label?: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <CheckIcon /> : <CopyIcon />}
          onClick={copy}
        >
          {copied ? "Copied" : label}
        </Button>
      )}
    </CopyButton>
  );
}
