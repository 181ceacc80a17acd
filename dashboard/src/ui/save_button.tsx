import { Button } from "@mantine/core";

interface SaveButtonProps {
  /** True if there is something to save. */
  isDirty: boolean;
  isPending: boolean;
  children: string;
  /** Saves what is not in a form of its own. */
  onSave?: () => void;
}

/** Saves what was changed on a page. It keeps the focus, also once there is nothing to save. */
export function SaveButton({ isDirty, isPending, children, onSave }: SaveButtonProps) {
  const isIdle = isPending || !isDirty;
  return (
    <Button
      type={onSave ? "button" : "submit"}
      variant={onSave ? "default" : "filled"}
      // A button that is disabled would lose the focus.
      aria-disabled={isIdle}
      aria-busy={isPending}
      data-disabled={isIdle || undefined}
      onClick={(event) => {
        if (isIdle) event.preventDefault();
        else onSave?.();
      }}
    >
      {children}
    </Button>
  );
}
