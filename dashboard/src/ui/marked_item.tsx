import { List, ThemeIcon } from "@mantine/core";
import type { Icon } from "@primer/octicons-react";
import type { ReactNode } from "react";

interface MarkedItemProps {
  icon: Icon;
  color: string;
  /** The state, for screen readers. */
  label: string;
  children: ReactNode;
}

/** An item of a list that begins with a round icon, which shows a state. */
export function MarkedItem({ icon: Icon, color, label, children }: MarkedItemProps) {
  const mark = (
    <ThemeIcon size={22} radius="xl" variant="light" color={color} role="img" aria-label={label}>
      <Icon size={12} />
    </ThemeIcon>
  );
  return <List.Item icon={mark}>{children}</List.Item>;
}
