import { Button, JsonInput } from "@mantine/core";
import { useState } from "react";
import { readObject } from "../../api/read_object.ts";
import type { JsonObject, TrackedEvent } from "../../api/types.ts";
import { useApiAction, useApiList } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { describeNoObject } from "../../ui/describe_no_object.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Autocomplete } from "../../ui/overlays.tsx";
import { MessageModal } from "./message_modal.tsx";
import { type TestEvent, testEventDraft } from "./test_event.ts";

interface TestEventModalProps extends DialogProps {
  destination: { id: string; name: string };
  /** The event to begin with. */
  event: TestEvent;
  /** Message that the event is from. */
  sentId?: string;
}

const noteOfTest = "Sent once, only to this destination, and not counted in its figures";
const noteOfResend =
  "Sent once, only to this destination. The receiver sees a new webhook-id, so " +
  "it processes this as another message. Not counted in the destination’s figures";

/** Sends an event of the user's own to one destination, and shows the response. */
export function TestEventModal({ destination, event, sentId, ...dialog }: TestEventModalProps) {
  const [typed, setTyped, draft] = useDraftState(
    testEventDraft(destination.id, sentId),
    event,
  );
  const newest = useNewestPayload(typed.type);
  const text = typed.payload ?? newest.text;
  const payload = readObject(text);
  const [messageId, setMessageId] = useState<string>();
  const test = useApiAction("POST /destinations/{id}/test", (edited: JsonObject) => ({
    params: { id: destination.id },
    body: { event_type: typed.type, payload: edited },
  }), {
    onSuccess: ({ message_id }) => {
      draft.forget();
      setMessageId(message_id);
    },
  });
  const close = () => {
    setMessageId(undefined);
    test.reset();
    dialog.close();
  };
  return (
    <>
      <FormModal
        isOpen={dialog.isOpen && messageId === undefined}
        close={close}
        title={`${sentId === undefined ? "Test event" : "Edit and resend"} to ${destination.name}`}
        submitLabel="Send"
        onSubmit={() => payload && test.mutate(payload)}
        isPending={test.isPending}
        isIncomplete={typed.type === "" || payload === undefined || newest.isPending}
        error={test.error}
        draft={draft}
        size="lg"
      >
        <TypeInput value={typed.type} onChange={(type) => setTyped({ ...typed, type })} />
        <JsonInput
          label="Payload"
          description={sentId === undefined ? noteOfTest : noteOfResend}
          classNames={{ input: "mono" }}
          autosize
          minRows={8}
          maxRows={18}
          value={text}
          onChange={(changed) => setTyped({ ...typed, payload: changed })}
          error={describeNoObject(text)}
        />
        {newest.isFound && typed.payload !== null && (
          <Button
            variant="default"
            size="xs"
            style={{ alignSelf: "flex-start" }}
            onClick={() => setTyped({ ...typed, payload: null })}
          >
            Use the newest event
          </Button>
        )}
      </FormModal>
      <MessageModal
        title={`Response of ${destination.name}`}
        destinationId={destination.id}
        messageId={messageId}
        error={null}
        close={close}
      />
    </>
  );
}

function TypeInput({ value, onChange }: { value: string; onChange: (type: string) => void }) {
  const { seen, service } = useEventTypes();
  return (
    <Autocomplete
      label="Event type"
      description="Choose one, or enter any name"
      placeholder="order_created"
      data={[
        { group: "Events seen in this workspace", items: seen },
        { group: "Service events", items: service.filter((type) => type !== "ping") },
      ].filter(({ items }) => items.length > 0)}
      limit={50}
      maxDropdownHeight={260}
      maxLength={200}
      data-autofocus
      value={value}
      onChange={onChange}
    />
  );
}

/** The payload of the newest event of a name that was seen; an empty object without one. */
function useNewestPayload(name: string) {
  const { seen } = useEventTypes();
  const isSeen = seen.includes(name);
  const found = useApiList("GET /events", { query: { name, limit: 1 } }, {
    enabled: isSeen,
    isKept: true,
  });
  const isPending = isSeen && (found.isPending || found.isPlaceholderData);
  const event = isSeen && !isPending ? found.data?.pages[0]?.data[0] : undefined;
  return {
    isPending,
    isFound: event !== undefined,
    text: JSON.stringify(event ? payloadOf(event) : {}, null, 2),
  };
}

/** Returns the payload that the message about an event has. */
function payloadOf({ id, kind: _kind, ...event }: TrackedEvent) {
  return { event_id: id, ...event };
}
