import { Anchor, Stack } from "@mantine/core";
import type { Segment } from "../api/types.ts";
import { useWorkspace } from "../api/workspace.ts";
import { linkTo } from "./link_to.ts";

type Use = Segment["used_by"][number];

const nouns: Record<Use["kind"], { label: string; path: string }> = {
  segment: { label: "Segment", path: "segments" },
  campaign: { label: "Campaign", path: "campaigns" },
  journey: { label: "Journey", path: "journeys" },
};

/** Links to what uses a resource. */
export function UsedBy({ uses }: { uses: Use[] }) {
  const { id } = useWorkspace();
  return (
    <Stack gap={2}>
      {uses.map(({ kind, id: useId, name }) => (
        <Anchor key={useId} {...linkTo(`/w/${id}/${nouns[kind].path}/${useId}`)} size="sm">
          {nouns[kind].label}: <bdi>{name}</bdi>
        </Anchor>
      ))}
    </Stack>
  );
}
