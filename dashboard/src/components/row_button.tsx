import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";

interface RowButtonProps {
  onClick: () => void;
  children: ReactNode;
}

/** Makes its whole row of a list a button. */
export function RowButton({ onClick, children }: RowButtonProps) {
  return <UnstyledButton className="row-link" onClick={onClick}>{children}</UnstyledButton>;
}
