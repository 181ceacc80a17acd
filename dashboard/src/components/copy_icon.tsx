import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { CheckIcon, CopyIcon as Icon } from "@primer/octicons-react";

/** Copies the value; `label` says what it is, for those who cannot see where it stands. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy ${label}`}>
          <ActionIcon
            variant="subtle"
            color={copied ? "teal" : "gray"}
            onClick={copy}
            aria-label={copied ? "Copied" : `Copy ${label}`}
          >
            {copied ? <CheckIcon /> : <Icon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
