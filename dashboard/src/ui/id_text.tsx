import { ActionIcon, CopyButton, Text } from "@mantine/core";
import { CheckIcon, CopyIcon as Icon } from "@primer/octicons-react";
import { Tooltip } from "./overlays.tsx";

/** An ID with a copy button beside it. */
export function IdText({ value, label }: { value: string; label: string }) {
  return (
    <div className="whole-row id-text">
      <Text span ff="monospace" size="xs" className="break-anywhere">
        <BreakableAddress value={value} />
      </Text>
      <CopyIcon value={value} label={label} />
    </div>
  );
}

/** A text in which an address breaks before its host, rather than within it. */
export function BreakableAddress({ value }: { value: string }) {
  const at = value.lastIndexOf("@");
  if (at < 0) return value;
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
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
