import {
  Input,
  type MantineColorScheme,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Text,
  Title,
  useMantineColorScheme,
} from "@mantine/core";
import { useZone } from "../../format/use_zone.ts";
import { chooseZone } from "../../format/zone.ts";
import { Select } from "../../ui/overlays.tsx";
import { themes } from "../../ui/themes.ts";
import { useZoneChoices } from "../../ui/use_zone_choices.ts";

interface AppearancePanelProps {
  /** The zone of the open workspace. */
  workspaceZone: string | undefined;
}

/** The theme and the time zone of this browser. */
export function AppearancePanel({ workspaceZone }: AppearancePanelProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const shown = useZone();
  const zones = useZoneChoices(workspaceZone);
  return (
    <Paper p="lg">
      <Title order={2} size="h4">Appearance</Title>
      <Text size="sm" c="dimmed" mb="md">This browser remembers your choice.</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Input.Wrapper label="Theme" labelElement="div" labelProps={{ id: "theme-label" }}>
          <SegmentedControl
            aria-labelledby="theme-label"
            fullWidth
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
            data={[...themes]}
          />
        </Input.Wrapper>
        <Select
          label="Time zone"
          allowDeselect={false}
          value={shown}
          onChange={(zone) => zone !== null && chooseZone(zone)}
          data={zones.map(({ zone, owner }) => ({
            value: zone,
            label: owner === "" ? zone : `${zone} (${owner.toLowerCase()})`,
          }))}
        />
      </SimpleGrid>
    </Paper>
  );
}
