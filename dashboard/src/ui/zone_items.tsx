import { useZone } from "../format/use_zone.ts";
import { browserZone, chooseZone } from "../format/zone.ts";
import { Menu } from "./overlays.tsx";

interface ZoneItemsProps {
  /** The zone of the open workspace. */
  workspaceZone?: string | undefined;
}

/** Items of a menu that choose the time zone in which times are shown. */
export function ZoneItems({ workspaceZone }: ZoneItemsProps) {
  const shown = useZone();
  const own = browserZone();
  const zones = new Map([[own, "This browser"]]);
  if (workspaceZone && !zones.has(workspaceZone)) zones.set(workspaceZone, "Workspace");
  for (const zone of ["UTC", shown]) if (!zones.has(zone)) zones.set(zone, "");
  return (
    <>
      <Menu.Label>Time zone</Menu.Label>
      <Menu.RadioGroup value={shown} onChange={(zone) => chooseZone(zone === own ? null : zone)}>
        {[...zones].map(([zone, owner]) => (
          <Menu.RadioItem key={zone} value={zone} closeMenuOnClick rightSection={owner}>
            {zone}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
