import { Anchor, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { formatCount } from "../../format/numbers.ts";
import { linkTo } from "../../ui/link_to.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ShareBar } from "./share_bar.tsx";

/** Names of the limited resources, and the page that lists it, if there is one. */
const kinds = {
  destinations: { label: "Destinations", path: "/destinations" },
  sources: { label: "Sources", path: "/sources" },
  segments: { label: "Segments", path: "/segments" },
  journeys: { label: "Journeys", path: "/journeys" },
  campaigns: { label: "Campaigns", path: "/campaigns" },
  alert_rules: { label: "Alert rules", path: "/alerts" },
  api_keys: { label: "API keys", path: "/settings/api-keys" },
  members: { label: "Members", path: "/settings/team" },
  invitations: { label: "Open invitations", path: "/settings/team" },
  views: { label: "Views", path: undefined },
  jobs: { label: "Unfinished jobs", path: undefined },
  rehearsals: { label: "Unfinished rehearsals", path: undefined },
} as const;

type Kind = keyof typeof kinds;

/** Counts of each kind of resource, with the limits of the plan. */
export function PlanLimits() {
  const { id } = useWorkspace();
  const workspace = useApiItem("GET /workspaces/{id}", { params: { id } });
  if (!workspace.data) return null;
  const { plan, use } = workspace.data;
  return (
    <>
      <Title order={3} size="h6" mt="xl" mb="sm">Resources</Title>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="xl" verticalSpacing="sm">
        {(Object.keys(kinds) as Kind[]).map((kind) => (
          <Limit key={kind} {...kinds[kind]} used={use[kind]} limit={plan[`max_${kind}`]} />
        ))}
      </SimpleGrid>
    </>
  );
}

interface LimitProps {
  label: string;
  path: string | undefined;
  used: number;
  limit: number;
}

function Limit({ label, path, used, limit }: LimitProps) {
  const { id } = useWorkspace();
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {path === undefined
          ? <Text size="sm">{label}</Text>
          : <Anchor {...linkTo(`/w/${id}${path}`)} size="sm">{label}</Anchor>}
        <Text size="sm" className="tabular" {...used === 0 && { c: "dimmed" }}>
          <b>{formatCount(used)}</b> of {formatCount(limit)}
        </Text>
      </Group>
      <ShareBar label={`${label}: share of the limit`} part={used} whole={limit} />
    </div>
  );
}
