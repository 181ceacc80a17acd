/** Makes Mantine show menus and dialogs in the main landmark instead of outside of all. */
export function OverlayPlace() {
  return <div data-portal="true" data-mantine-shared-portal-node="true" />;
}
