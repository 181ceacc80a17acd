import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Campaign } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatShort } from "../../format/time.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { letterOf } from "./letter_of.ts";
import { zoneTexts } from "./zone_texts.ts";
import { type NamedRoute, useNameOf } from "./use_name_of.ts";

/** Settings of a campaign, with links to what it names. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { timezone } = useWorkspace();
  const { variants, winner, send_at, started_at, ended_at } = campaign;
  const segment = useNames("GET /segments", "segments");
  const template = useNames("GET /templates", "templates");
  const sender = useNames("GET /senders", "senders");
  const topic = useNames("GET /topics", "topics");
  return (
    <FieldList
      fields={[
        ["Segment", segment(campaign.segment)],
        ...known("Except", campaign.exclude.length > 0 && campaign.exclude.map(segment)),
        variants.length === 0 ? ["Template", campaign.template && template(campaign.template)] : [
          "Templates",
          variants.map((variant, index) => (
            <div key={index}>
              {letterOf(index)} (weight {variant.weight}): {template(variant.template)}
            </div>
          )),
        ],
        ...known(
          "Winner",
          winner && `By ${winner.by}, ${winner.after} after ${winner.share} % got the test`,
        ),
        ["Sender", sender(campaign.sender)],
        ["Topic", campaign.topic ? topic(campaign.topic) : "None: transactional"],
        ["Time", send_at ? `${formatShort(send_at, timezone)} ${timezone}` : "When you send it"],
        ["Time zone", zoneTexts[campaign.zone]],
        ...known("Emails per minute", campaign.per_minute),
        ...known("Spread over", campaign.spread_over),
        ...known("Skip if delayed by more than", campaign.not_after),
        ...known("Started", started_at && <TimeAgo key="start" time={started_at} />),
        ...known("Ended", ended_at && <TimeAgo key="end" time={ended_at} />),
        ...known("Key", campaign.key),
        ["Campaign ID", <IdText key="id" value={campaign.id} label="campaign ID" />],
      ]}
    />
  );
}

/** A field that is left out while it has no value. */
function known(label: string, value: ReactNode): Field[] {
  return value ? [[label, value]] : [];
}

/** Returns a function that shows a resource by its name, with a link. */
export function useNames(route: NamedRoute, path: string): (id: string) => ReactNode {
  const { id: workspaceId } = useWorkspace();
  const nameOf = useNameOf(route);
  return (id) => {
    const name = nameOf(id);
    if (name === null) return <Text key={id} size="sm" c="dimmed">Deleted</Text>;
    // Topics have one page for all.
    const to = path === "topics" ? path : `${path}/${id}`;
    return (
      <Anchor key={id} {...linkTo(`/w/${workspaceId}/${to}`)} size="sm" display="block">
        <bdi>{name}</bdi>
      </Anchor>
    );
  };
}
