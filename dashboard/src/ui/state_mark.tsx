import { ThemeIcon } from "@mantine/core";
import type { Icon } from "@primer/octicons-react";

interface StateMarkProps {
  icon: Icon;
  color: string;
  /** The state, for screen readers. */
  label: string;
}

/** A round icon at the start of a line of a list, which shows a state. */
export function StateMark({ icon: Icon, color, label }: StateMarkProps) {
  return (
    <ThemeIcon size={22} radius="xl" variant="light" color={color} role="img" aria-label={label}>
      <Icon size={12} />
    </ThemeIcon>
  );
}
