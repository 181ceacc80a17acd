import { Button } from "@mantine/core";

interface SaveButtonProps {
  /** True if there is something to save. */
  isDirty: boolean;
  isPending: boolean;
  children: string;
}

/** Submits a form on a page. It keeps the focus, also once there is nothing more to save. */
export function SaveButton({ isDirty, isPending, children }: SaveButtonProps) {
  const isIdle = isPending || !isDirty;
  return (
    <Button
      type="submit"
      // A button that is disabled would lose the focus.
      aria-disabled={isIdle}
      data-disabled={isIdle || undefined}
      onClick={(event) => isIdle && event.preventDefault()}
    >
      {children}
    </Button>
  );
}
