import { Paper, Tabs, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { letterOf } from "./letter_of.ts";

const keptMs = 30_000;
const height = 320;

interface CampaignMailProps {
  /** Null while none is chosen, or with variants. */
  template: string | null;
  variants: readonly { template: string }[];
}

/** The mail of a campaign, for each of its templates. */
export function CampaignMail({ template, variants }: CampaignMailProps) {
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Message</Title>
      {variants.length === 0
        ? template === null
          ? <Text size="sm" c="dimmed">Choose a template to preview the email.</Text>
          : <Mail templateId={template} />
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
                  : <Mail templateId={variant.template} />}
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
    </Paper>
  );
}

/** The newest version of a template, for nobody in particular. */
function Mail({ templateId }: { templateId: string }) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { data, error } = useQuery({
    queryKey: [workspaceId, "campaign mail", templateId],
    queryFn: () => api.call("POST /templates/{id}/preview", { params: { id: templateId } }),
    staleTime: keptMs,
    retry: false,
  });
  if (error) return <Text size="sm" className="break-anywhere">{error.message}</Text>;
  if (data === undefined) return <Text size="sm" c="dimmed" mih={height}>Loading…</Text>;
  return (
    <>
      <Text size="sm" fw={550} className="break-anywhere" dir="auto">{data.subject}</Text>
      <Text size="xs" c="dimmed" mb="sm">Preview without customer data.</Text>
      {data.html === null
        ? <Text component="pre" size="sm" className="mail-text">{data.text ?? ""}</Text>
        : <MailFrame html={data.html} title="The message" height={height} />}
    </>
  );
}
