import { useZone } from "../format/use_zone.ts";
import { browserZone } from "../format/zone.ts";

/** A time zone that times can be shown in. */
export interface ZoneChoice {
  zone: string;
  /** The one who has it set; empty for others. */
  owner: "This browser" | "Workspace" | "";
}

/** Returns the zones that a person can choose: the browser's, the workspace's, UTC and the shown one. */
export function useZoneChoices(workspaceZone: string | undefined): ZoneChoice[] {
  const shown = useZone();
  const owners = new Map<string, ZoneChoice["owner"]>([[browserZone(), "This browser"]]);
  if (workspaceZone && !owners.has(workspaceZone)) owners.set(workspaceZone, "Workspace");
  for (const zone of ["UTC", shown]) if (!owners.has(zone)) owners.set(zone, "");
  return [...owners].map(([zone, owner]) => ({ zone, owner }));
}
