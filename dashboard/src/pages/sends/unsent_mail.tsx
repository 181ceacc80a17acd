import { Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Send } from "../../api/types.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { RenderedMail } from "../../ui/rendered_mail.tsx";
import { MailSkeleton } from "../../ui/skeletons.tsx";

const keptMs = 60_000;

/** A message that was not rendered, with what renders it. */
interface UnsentMailProps {
  send: Send;
  templateId: string;
  customerId: string;
}

/** Returns what renders a message that was never rendered; undefined if that is gone. */
export function readUnsent(send: Send): UnsentMailProps | undefined {
  const { subject, purpose, state, template, template_name, customer_id } = send;
  const isUnsent = state === "skipped" || state === "failed" || state === "queued";
  if (subject !== null || purpose !== "message" || !isUnsent) return undefined;
  if (template === null || template_name === null || customer_id === null) return undefined;
  return { send, templateId: template.id, customerId: customer_id };
}

/** A message that was not rendered, as its customer would get it from the newest version. */
export function UnsentMail({ send, templateId, customerId }: UnsentMailProps) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { data: mail, error } = useQuery({
    queryKey: [workspaceId, "unsent mail", templateId, customerId],
    queryFn: ({ signal }) =>
      api.call("POST /templates/{id}/preview", {
        params: { id: templateId },
        body: { customer_id: customerId },
        signal,
      }),
    staleTime: keptMs,
    retry: false,
  });
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">
        {send.state === "queued" ? "What will be sent" : "What would have been sent"}
      </Title>
      {error && <Text size="sm" c="dimmed" className="break-anywhere">{error.message}</Text>}
      {!error && mail === undefined && <MailSkeleton />}
      {mail && (
        <RenderedMail mail={mail} fields={[]}>
          The newest version of the template with today’s profile of the customer
          {send.campaign_id === null &&
            ", without the data of the event or call that asked for it"}.
        </RenderedMail>
      )}
    </Paper>
  );
}
