import { Anchor, Paper, Tabs, Text, Title } from "@mantine/core";
import { useReadList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { letterOf } from "./letter_of.ts";
import { useCampaignMail } from "./use_campaign_mail.ts";

const height = 320;

interface CampaignMailProps {
  /** Null while none is chosen, or with variants. */
  template: string | null;
  variants: readonly { template: string }[];
  /** The segment that gets it; empty while none is chosen. */
  segment: string;
  /** Empty while none is chosen. */
  sender: string;
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

interface MailProps extends Pick<CampaignMailProps, "segment" | "sender"> {
  templateId: string;
}

/** The newest version of a template, as a member of the segment would get it. */
function Mail({ templateId, segment, sender }: MailProps) {
  const { mail, error, customer } = useCampaignMail({ templateId, segment });
  const from = useReadList("GET /senders", {}).rows.find(({ id }) => id === sender);
  if (error) return <Text size="sm" className="break-anywhere">{error.message}</Text>;
  if (mail === undefined) return <Text size="sm" c="dimmed" mih={height}>Loading…</Text>;
  const fields: Field[] = [
    ["From", wholeLine(from?.from ?? (sender === "" ? "No sender chosen" : "…"))],
    ...from?.reply_to ? [["Reply to", wholeLine(from.reply_to)] satisfies Field] : [],
    ["Subject", wholeLine(mail.subject)],
  ];
  return (
    <>
      <FieldList fields={fields} />
      <Text size="xs" c="dimmed" my="sm">
        {customer === undefined ? "Rendered without a customer." : (
          <>
            Rendered for <RenderedFor {...customer} />, a member of the segment.
          </>
        )}
      </Text>
      {mail.html === null
        ? <Text component="pre" size="sm" className="mail-text">{mail.text ?? ""}</Text>
        : <MailFrame html={mail.html} title="The email" height={height} />}
    </>
  );
}

/** A value that needs the width of the list of fields. */
function wholeLine(text: string) {
  return <bdi className="whole-line">{text}</bdi>;
}

function RenderedFor({ id, name }: { id: string; name: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Anchor {...linkTo(`/w/${workspaceId}/customers/${id}`)} inherit>
      <bdi>{name}</bdi>
    </Anchor>
  );
}
