import type { Icon } from "@primer/octicons-react";
import type { Role } from "../api/types.ts";

/** A link of the main navigation. */
export interface NavigationEntry {
  label: string;
  /** Path below the workspace's own. */
  path: string;
  icon: Icon;
  /** The least role that may read the page. @default viewer */
  role?: Role;
}
