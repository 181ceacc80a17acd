import { Anchor, Title } from "@mantine/core";
import type { Send, TrackedEvent } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { isServiceEvent } from "../../api/service_events.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { isId } from "../../format/is_id.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { linkTo } from "../../ui/link_to.ts";

/** Properties of a built-in event that the email names. */
export const emailIds: readonly string[] = [
  "send_id",
  "template_id",
  "campaign_id",
  "journey_id",
  "run_id",
];

/** The email that a built-in event is about; undefined until it is read, and for other events. */
export function useEventEmail({ name, properties }: TrackedEvent): Send | undefined {
  const id = isServiceEvent(name) ? properties.send_id : undefined;
  const isKnown = typeof id === "string" && isId(id);
  return useApiItem("GET /sends/{id}", { params: { id: isKnown ? id : "" } }, { enabled: isKnown })
    .data;
}

/** Names an email and everything that it was made of, each with a link to its page. */
export function EventEmail({ send }: { send: Send }) {
  const { id } = useWorkspace();
  return (
    <section>
      <Title order={3} size="h5" mb="xs">Email</Title>
      <FieldList fields={listFields(send, `/w/${id}`)} />
    </section>
  );
}

function listFields(send: Send, workspace: string): Field[] {
  const { campaign_id, journey_id, run_id, template } = send;
  const link = (path: string, text: string, search = {}) => (
    <Anchor {...linkTo(`${workspace}/${path}`, search)} size="sm">
      <bdi>{text}</bdi>
    </Anchor>
  );
  const run = run_id === null ? {} : { tab: "runs", run: run_id };
  const fields: (Field | false)[] = [
    ["Subject", link(`sends/${send.id}`, send.subject ?? "Email without a subject")],
    campaign_id !== null &&
    ["Campaign", link(`campaigns/${campaign_id}`, send.campaign_name ?? "Deleted campaign")],
    journey_id !== null &&
    ["Journey", link(`journeys/${journey_id}`, send.journey_name ?? "Deleted journey", run)],
    template !== null &&
    ["Template", link(`templates/${template.id}`, send.template_name ?? "Deleted template")],
    ["Sender", link(`senders/${send.sender}`, send.sender_name ?? "Deleted sender")],
  ];
  return fields.filter((field) => field !== false);
}
