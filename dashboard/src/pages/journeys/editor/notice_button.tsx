import { Button } from "@mantine/core";

interface NoticeButtonProps {
  onClick: () => void;
  children: string;
}

/** A button that ends its notice, and passes the focus on before it is gone. */
export function NoticeButton({ onClick, children }: NoticeButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      flex="none"
      onClick={() => {
        focusBehind();
        onClick();
      }}
    >
      {children}
    </Button>
  );
}

/** Moves the focus to the panel that the notice lies over, or to the views. */
function focusBehind(): void {
  const place = document.querySelector<HTMLElement>(".mantine-Drawer-body .panel-title") ??
    document.querySelector<HTMLElement>('[role="toolbar"] [aria-pressed="true"]');
  place?.focus({ preventScroll: true });
}
