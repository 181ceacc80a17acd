import { ThemeIcon } from "@mantine/core";
import { GitMergeIcon, PersonIcon, ZapIcon } from "@primer/octicons-react";
import type { TrackedEvent } from "../../api/types.ts";

const eventKinds = {
  event: { label: "Event", color: "signal", icon: ZapIcon },
  identify: { label: "Identify", color: "teal", icon: PersonIcon },
  alias: { label: "Alias", color: "grape", icon: GitMergeIcon },
} as const;

export function EventKind({ kind }: Pick<TrackedEvent, "kind">) {
  const { label, color, icon: Icon } = eventKinds[kind];
  return (
    <ThemeIcon variant="light" color={color} size={28} radius="xl" role="img" aria-label={label}>
      <Icon size={14} />
    </ThemeIcon>
  );
}

export function eventTitle({ kind, name }: Pick<TrackedEvent, "kind" | "name">): string {
  return name ?? eventKinds[kind].label;
}
