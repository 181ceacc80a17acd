import type { Campaign, Sender } from "../../api/types.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { letterOf } from "./letter_of.ts";
import { useCampaignMail } from "./use_campaign_mail.ts";
import { useNameOf } from "./use_name_of.ts";

interface StartFactsProps {
  campaign: Campaign;
  /** Undefined until it is read. */
  sender: Sender | undefined;
}

/** The subject, sender, segment and topic of a campaign, to compare before it starts. */
export function StartFacts({ campaign, sender }: StartFactsProps) {
  const { template, variants, segment, topic } = campaign;
  const nameSegment = useNameOf("GET /segments");
  const nameTopic = useNameOf("GET /topics");
  return (
    <FieldList
      fields={[
        [
          "Subject",
          variants.length === 0
            ? template && <Subject key="subject" templateId={template} segment={segment} />
            : variants.map((variant, index) => (
              <div key={index}>
                {letterOf(index)}: <Subject templateId={variant.template} segment={segment} />
              </div>
            )),
        ],
        ["From", sender?.from ?? "…"],
        ["Segment", <bdi key="segment">{nameSegment(segment) ?? "Deleted"}</bdi>],
        [
          "Topic",
          topic === null
            ? "None: transactional"
            : <bdi key="topic">{nameTopic(topic) ?? "Deleted"}</bdi>,
        ],
      ]}
    />
  );
}

function Subject({ templateId, segment }: { templateId: string; segment: string }) {
  const { mail, error } = useCampaignMail({ templateId, segment });
  return <bdi>{mail?.subject ?? error?.message ?? "…"}</bdi>;
}
