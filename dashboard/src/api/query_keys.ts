/** Under which the user's workspaces are kept, with the role in each. */
export const WORKSPACES_KEY = ["workspaces"];
