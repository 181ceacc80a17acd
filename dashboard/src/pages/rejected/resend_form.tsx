import { Alert, Button, Group, JsonInput, Stack, Text } from "@mantine/core";
import { type Ref, useImperativeHandle } from "react";
import { readObject } from "../../api/read_object.ts";
import type { JsonObject, RejectedEntry } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { useCloseGuard } from "../../ui/close_guard.tsx";
import { CodeView } from "../../ui/code_view.tsx";
import { describeNoObject } from "../../ui/describe_no_object.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { showError } from "../../ui/show_error.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { applyFix, suggestFix } from "./fix_entry.ts";
import type { ResentResults } from "./resent.tsx";
import { textOf } from "./text_of.ts";

interface ResendFormProps {
  entry: RejectedEntry;
  /** Closes the drawer around the form. */
  close: () => void;
  /** Gets the function that closes the drawer, and asks first if something was typed. */
  askToClose: Ref<() => void>;
  onResent: (results: ResentResults) => void;
}

/** The entry as it arrived, to be fixed and resent. */
export function ResendForm({ entry, close, askToClose, onResent }: ResendFormProps) {
  const { role } = useWorkspace();
  const isMember = useMay("member");
  const original = textOf(entry);
  const [text, setText, draft] = useDraftState(`rejected:${entry.id}`, original);
  const guard = useCloseGuard(draft, close);
  useImperativeHandle(askToClose, () => guard.requestClose);
  const resend = useApiAction("POST /rejected-entries/{id}/resend", (edited: JsonObject) => ({
    params: { id: entry.id },
    body: text === original ? {} : { entry: edited },
  }), {
    onSuccess: ({ results }) => {
      draft.forget();
      onResent(results);
    },
  });
  const edited = readObject(text);
  if (!isMember) {
    return (
      <Stack>
        <Text size="sm" c="dimmed">Your role, {role}, can’t resend entries.</Text>
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
        error={describeNoObject(text)}
      />
      <SuggestedFix entry={entry} edited={edited} onApply={setText} />
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

interface SuggestedFixProps {
  entry: RejectedEntry;
  /** The entry as it is typed now; undefined if it is not an object. */
  edited: JsonObject | undefined;
  /** Gets the text of the fixed entry. */
  onApply: (text: string) => void;
}

/** Offers to rename the field that the error names, until it is renamed. */
function SuggestedFix({ entry, edited, onApply }: SuggestedFixProps) {
  const { error: reason, code, field, origin } = entry;
  const fix = suggestFix({ reason, code, field, origin });
  const fixed = edited && applyFix(edited, fix);
  if (fix.kind !== "rename" || fixed === undefined) return null;
  return (
    <Group>
      <Button
        variant="light"
        size="compact-sm"
        onClick={() => onApply(JSON.stringify(fixed, null, 2))}
      >
        Rename {fix.field} to {fix.to}
      </Button>
    </Group>
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
