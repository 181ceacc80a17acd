/** Where Mantine shows menus and dialogs: in the main landmark, not outside of all. */
export function OverlayPlace() {
  return <div data-portal="true" data-mantine-shared-portal-node="true" />;
}
