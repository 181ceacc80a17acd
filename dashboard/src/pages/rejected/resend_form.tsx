import { Alert, Anchor, Button, Group, JsonInput, Stack, Text } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import { type Ref, useImperativeHandle } from "react";
import { readObject } from "../../api/read_object.ts";
import type { JsonObject, RejectedEntry } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { useCloseGuard } from "../../ui/close_guard.tsx";
import { CodeView } from "../../ui/code_view.tsx";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { showError } from "../../ui/show_error.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";

interface ResendFormProps {
  entry: RejectedEntry;
  /** Closes the drawer around the form. */
  close: () => void;
  /** Gets the function that closes the drawer, and asks first if something was typed. */
  askToClose: Ref<() => void>;
}

/** The entry as it arrived, to be fixed and resent. */
export function ResendForm({ entry, close, askToClose }: ResendFormProps) {
  const { id, role } = useWorkspace();
  const isMember = useMay("member");
  const original = entry.is_truncated ? String(entry.entry) : JSON.stringify(entry.entry, null, 2);
  const [text, setText, draft] = useDraftState(`rejected:${entry.id}`, original);
  const guard = useCloseGuard(draft, close);
  useImperativeHandle(askToClose, () => guard.requestClose);
  const resend = useApiAction("POST /rejected-entries/{id}/resend", (edited: JsonObject) => ({
    params: { id: entry.id },
    body: text === original ? {} : { entry: edited },
  }), { onSuccess: draft.forget });
  const edited = readObject(text);
  if (resend.data) {
    return (
      <Alert color="green" icon={<CheckIcon />} title="Resent">
        {resend.data.results.map(({ event_id, customer_id }) => (
          <Anchor key={event_id} size="sm" {...linkTo(`/w/${id}/customers/${customer_id}`)}>
            View on the customer’s timeline
          </Anchor>
        ))}
      </Alert>
    );
  }
  if (!isMember || entry.resent_at !== null) {
    return (
      <Stack>
        {entry.resent_at !== null
          ? <Resent time={entry.resent_at} eventId={entry.resent_event_id} />
          : <Text size="sm" c="dimmed">Your role, {role}, can’t resend entries.</Text>}
        <CodeView code={original} language="json" label="Entry" />
      </Stack>
    );
  }
  return (
    <Stack>
      {entry.discarded_at !== null && <Discarded time={entry.discarded_at} />}
      <DraftNotice draft={draft} />
      <JsonInput
        label="Entry"
        description={entry.is_truncated
          ? "Only the start was kept. Paste the whole entry to resend it"
          : "Fix the entry, then resend it"}
        classNames={{ input: "mono" }}
        autosize
        minRows={8}
        maxRows={24}
        value={text}
        onChange={setText}
        error={edited ? null : "Must be a JSON object"}
      />
      {resend.error && <ErrorState error={resend.error} />}
      {guard.question ?? (
        <Group justify="flex-end">
          {entry.discarded_at === null && <DiscardButton entryId={entry.id} />}
          <Button
            disabled={!edited}
            loading={resend.isPending}
            onClick={() => edited && resend.mutate(edited)}
          >
            Resend
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function DiscardButton({ entryId }: { entryId: string }) {
  const discard = useApiAction(
    "POST /rejected-entries/{id}/discard",
    () => ({ params: { id: entryId } }),
    { onError: showError },
  );
  return (
    <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate()}>
      Discard
    </Button>
  );
}

function Discarded({ time }: { time: string }) {
  return (
    <Alert color="gray" title="Discarded">
      <Text size="sm" component="div">
        <ExactTime time={time} />. You can still resend it.
      </Text>
    </Alert>
  );
}

/** Says when an entry was resent, and links to its event: an identify or alias has none. */
function Resent({ time, eventId }: { time: string; eventId: string | null }) {
  const { id } = useWorkspace();
  return (
    <Alert color="green" icon={<CheckIcon />} title="Resent">
      <Text size="sm" component="div">
        <ExactTime time={time} />
      </Text>
      {eventId !== null && (
        <Anchor size="sm" {...linkTo(`/w/${id}/events`, { event: eventId })}>View the event</Anchor>
      )}
    </Alert>
  );
}
