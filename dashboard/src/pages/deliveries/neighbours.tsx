import { ActionIcon, Group } from "@mantine/core";
import { ChevronLeftIcon, ChevronRightIcon } from "@primer/octicons-react";
import type { DeliveryDetail } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";

const hourMs = 3_600_000;
/** The api lists the newest first, so a later attempt is found among those of the next hour. */
const mostLater = 200;

/** Links to the attempts at the same destination before and after this one. */
export function Neighbours({ delivery }: { delivery: DeliveryDetail }) {
  const { destination_id, attempted_at } = delivery;
  const inAnHour = new Date(Date.parse(attempted_at) + hourMs).toISOString();
  const earlier = useApiList("GET /deliveries", {
    query: { destination_id, until: attempted_at, limit: 1 },
  });
  const later = useApiList("GET /deliveries", {
    query: { destination_id, since: attempted_at, until: inAnHour, limit: mostLater },
  });
  const after = listRows(later).filter(({ id }) => id > delivery.id).at(-1);
  return (
    <Group gap={4}>
      <Neighbour label="Previous delivery" id={listRows(earlier)[0]?.id} />
      <Neighbour label="Next delivery" id={after?.id} isNext />
    </Group>
  );
}

interface NeighbourProps {
  label: string;
  /** The delivery to open; the button is disabled without one. */
  id: string | undefined;
  isNext?: boolean;
}

function Neighbour({ label, id, isNext = false }: NeighbourProps) {
  const { id: workspaceId } = useWorkspace();
  const icon = isNext ? <ChevronRightIcon /> : <ChevronLeftIcon />;
  const shared = { variant: "default", size: "input-sm", "aria-label": label } as const;
  if (id === undefined) return <ActionIcon {...shared} disabled>{icon}</ActionIcon>;
  return (
    <ActionIcon {...shared} {...linkTo(`/w/${workspaceId}/deliveries/${id}`)}>{icon}</ActionIcon>
  );
}
