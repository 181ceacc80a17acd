import { useZone } from "../format/use_zone.ts";
import { chooseZone } from "../format/zone.ts";
import { Menu } from "./overlays.tsx";
import { useZoneChoices } from "./use_zone_choices.ts";

interface ZoneItemsProps {
  /** The zone of the open workspace. */
  workspaceZone?: string | undefined;
}

/** Items of a menu that choose the time zone in which times are shown. */
export function ZoneItems({ workspaceZone }: ZoneItemsProps) {
  const shown = useZone();
  const choices = useZoneChoices(workspaceZone);
  return (
    <>
      <Menu.Label>Time zone</Menu.Label>
      <Menu.RadioGroup value={shown} onChange={chooseZone}>
        {choices.map(({ zone, owner }) => (
          <Menu.RadioItem key={zone} value={zone} closeMenuOnClick rightSection={owner}>
            {zone}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
