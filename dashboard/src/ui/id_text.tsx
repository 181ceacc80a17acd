import { ActionIcon, CopyButton, Group, Text } from "@mantine/core";
import { CheckIcon, CopyIcon as Icon } from "@primer/octicons-react";
import { Tooltip } from "./overlays.tsx";

/** An ID with a copy button. */
export function IdText({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={2} wrap="nowrap" className="whole-row" style={{ minWidth: 0 }}>
      <Text ff="monospace" size="xs" className="break-anywhere">{value}</Text>
      <CopyIcon value={value} label={label} />
    </Group>
  );
}

/** Copies a value. The label names it for screen readers. */
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
