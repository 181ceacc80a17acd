import { Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { formatCount } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

const kindLabels = {
  destinations: "Destinations",
  sources: "Sources",
  api_keys: "API keys",
  members: "Members",
  invitations: "Open invitations",
  jobs: "Unfinished jobs",
  segments: "Segments",
  journeys: "Journeys",
  rehearsals: "Unfinished rehearsals",
  campaigns: "Campaigns",
  alert_rules: "Alert rules",
  views: "Views",
} as const;

type Kind = keyof typeof kindLabels;

/** Counts of each kind of resource, with the limits of the plan. */
export function PlanLimits() {
  const { id } = useWorkspace();
  const workspace = useApiItem("GET /workspaces/{id}", { params: { id } });
  if (!workspace.data) return null;
  const { plan, use } = workspace.data;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="xl" mt="lg">
      {(Object.keys(kindLabels) as Kind[]).map((kind) => {
        const limit = plan[`max_${kind}`];
        return (
          <Stack key={kind} gap={0}>
            <Text size="sm" fw={550} flex={1}>{kindLabels[kind]}</Text>
            <Text size="sm" className="tabular">
              {formatCount(use[kind])} of {formatCount(limit)}
            </Text>
            <Progress
              value={limit === 0 ? 100 : Math.min(100, (use[kind] / limit) * 100)}
              my={6}
              aria-label={`${kindLabels[kind]}: share of the limit`}
            />
          </Stack>
        );
      })}
    </SimpleGrid>
  );
}
