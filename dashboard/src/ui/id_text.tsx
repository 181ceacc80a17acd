import { ActionIcon, CopyButton, Text } from "@mantine/core";
import { CheckIcon, CopyIcon as Icon } from "@primer/octicons-react";
import { Tooltip } from "./overlays.tsx";

/** An ID with a copy button. An address breaks before its host, not within it. */
export function IdText({ value, label }: { value: string; label: string }) {
  const at = value.lastIndexOf("@");
  const [local, host] = at < 0 ? [value, ""] : [value.slice(0, at), value.slice(at)];
  return (
    <div className="whole-row id-text">
      <Text span ff="monospace" size="xs" className="break-anywhere">
        {local}
        {host.length > 0 && <wbr />}
        {host}
      </Text>
      <CopyIcon value={value} label={label} />
    </div>
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
