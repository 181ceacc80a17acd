import { type ReactNode, useId } from "react";
import { Button, type ButtonProps } from "@mantine/core";

interface FoldProps {
  /** The button. */
  label: ReactNode;
  button?: ButtonProps;
  isOpen: boolean;
  toggle: () => void;
  /** Screens of this width and wider show everything, and no button. */
  until: "sm" | "lg";
  children: ReactNode;
}

/** A part of a page that narrow screens fold behind a button. */
export function Fold({ label, button, isOpen, toggle, until, children }: FoldProps) {
  const id = useId();
  return (
    <div className="fold" data-until={until}>
      <Button
        variant="default"
        {...button}
        className="fold-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {label}
      </Button>
      <div className="fold-body" id={id}>{children}</div>
    </div>
  );
}
