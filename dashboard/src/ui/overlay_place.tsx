/**
 * Makes Mantine show menus and dialogs in the main landmark instead of outside of all. It lies at
 * the start of the window, from which they are placed.
 */
export function OverlayPlace() {
  return (
    <div
      data-portal="true"
      data-mantine-shared-portal-node="true"
      style={{ position: "absolute", top: 0, insetInline: 0, height: 0 }}
    />
  );
}
