import { Anchor, Paper, Tabs, Text, Title } from "@mantine/core";
import { isMissing } from "../../api/api_client.ts";
import type { Campaign, Sender } from "../../api/types.ts";
import { useReadList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { letterOf } from "./letter_of.ts";
import { RenderedMail } from "../../ui/rendered_mail.tsx";
import { SentMail } from "./sent_mail.tsx";
import { useCampaignMail } from "./use_campaign_mail.ts";

const height = 320;
/** Of an email beside the results. */
const sentHeight = 420;

interface CampaignMailProps {
  /** Null while none is chosen, or with variants. */
  template: string | null;
  variants: readonly { template: string }[];
  /** The segment that gets it; empty while none is chosen. */
  segment: string;
  /** Empty while none is chosen. */
  sender: string;
  /** A campaign that has begun, whose emails are shown. */
  campaign?: Campaign | undefined;
}

/** The mail of a campaign, for each of its templates. */
export function CampaignMail({ template, variants, ...mail }: CampaignMailProps) {
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Email</Title>
      {variants.length === 0
        ? template === null
          ? <Text size="sm" c="dimmed">Choose a template to preview the email.</Text>
          : <Mail templateId={template} {...mail} />
        : (
          <Tabs defaultValue="0" keepMounted={false}>
            <Tabs.List mb="sm">
              {variants.map((_, index) => (
                <Tabs.Tab key={index} value={`${index}`}>{letterOf(index)}</Tabs.Tab>
              ))}
            </Tabs.List>
            {variants.map((variant, index) => (
              <Tabs.Panel key={index} value={`${index}`}>
                {variant.template === ""
                  ? <Text size="sm" c="dimmed">Choose template {letterOf(index)} to see it.</Text>
                  : <Mail templateId={variant.template} {...mail} />}
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
    </Paper>
  );
}

interface MailProps extends Pick<CampaignMailProps, "segment" | "sender" | "campaign"> {
  templateId: string;
}

/** The email that was sent, or else the newest version of the template. */
function Mail({ campaign, ...mail }: MailProps) {
  const from = useReadList("GET /senders", {}).rows.find(({ id }) => id === mail.sender);
  if (campaign === undefined) return <Preview {...mail} from={from} />;
  return (
    <SentMail
      campaign={campaign}
      templateId={mail.templateId}
      from={from?.from ?? "…"}
      height={sentHeight}
    >
      <Preview {...mail} from={from} />
    </SentMail>
  );
}

interface PreviewProps extends Omit<MailProps, "campaign"> {
  /** Undefined until it is read. */
  from: Sender | undefined;
}

/** The newest version of a template, as a member of the segment would get it. */
function Preview({ templateId, segment, sender, from }: PreviewProps) {
  const { mail, error, customer } = useCampaignMail({ templateId, segment });
  if (error) {
    return (
      <Text size="sm" c="dimmed" className="break-anywhere">
        {isMissing(error) ? "The template was deleted." : error.message}
      </Text>
    );
  }
  if (mail === undefined) return <Text size="sm" c="dimmed" mih={height}>Loading…</Text>;
  return (
    <RenderedMail
      mail={mail}
      fields={[
        ["From", from?.from ?? (sender === "" ? "No sender chosen" : "…")],
        ...from?.reply_to ? [["Reply to", from.reply_to] as const] : [],
      ]}
      height={height}
    >
      {customer === undefined ? "Rendered without a customer." : (
        <>
          Rendered for <RenderedFor {...customer} />, a member of the segment.
        </>
      )}
    </RenderedMail>
  );
}

function RenderedFor({ id, name }: { id: string; name: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Anchor {...linkTo(`/w/${workspaceId}/customers/${id}`)} inherit>
      <bdi>{name}</bdi>
    </Anchor>
  );
}
