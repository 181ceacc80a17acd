interface PaletteAction {
  title: string;
  /** Least role that may do it. */
  role: "member" | "admin";
  path: string;
  /** Name of the draft of the dialog that the page opens; none for a page that is the form. */
  dialog?: string;
}

/** Things to begin that the search offers to those who may. */
export const paletteActions: readonly PaletteAction[] = [
  { title: "New segment", role: "member", path: "/segments/new" },
  { title: "New journey", role: "admin", path: "/journeys", dialog: "journey:new" },
  { title: "New campaign", role: "admin", path: "/campaigns/new" },
  { title: "New template", role: "member", path: "/templates", dialog: "template:new" },
  { title: "New topic", role: "admin", path: "/topics", dialog: "topic:new" },
  { title: "New sender", role: "admin", path: "/senders", dialog: "sender:new" },
  { title: "New destination", role: "admin", path: "/destinations/new" },
  { title: "New source", role: "admin", path: "/sources/new" },
  { title: "New API key", role: "admin", path: "/settings/api-keys", dialog: "api-key:new" },
  { title: "New alert rule", role: "admin", path: "/alerts", dialog: "alert-rule:new" },
  { title: "Invite a person", role: "admin", path: "/settings/team", dialog: "invitation:new" },
];
