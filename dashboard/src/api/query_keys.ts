/** Under which the user's workspaces are kept, with the role in each. */
export const WORKSPACES_KEY = ["workspaces"];
/** Under which the open invitations to the user are kept. */
export const INVITATIONS_KEY = ["invitations"];
