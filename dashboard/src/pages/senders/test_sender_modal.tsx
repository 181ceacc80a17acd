import { Alert, Text, TextInput } from "@mantine/core";
import { CheckCircleIcon, XCircleIcon } from "@primer/octicons-react";
import type { Sender } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";

/** Sends a test email and shows the provider's own answer. */
export function TestSenderModal({ sender, ...dialog }: DialogProps & { sender: Sender }) {
  const [to, setTo, draft] = useDraftState(`sender-test:${sender.id}`, "");
  const test = useApiAction(
    "POST /senders/{id}/test",
    () => ({ params: { id: sender.id }, body: to.trim() === "" ? {} : { to: to.trim() } }),
    { onSuccess: draft.forget },
  );
  const result = test.data;
  return (
    <FormModal
      {...dialog}
      title={`Test ${sender.name}`}
      submitLabel="Send test email"
      onSubmit={() => test.mutate()}
      isPending={test.isPending}
      error={test.error}
      draft={draft}
    >
      <TextInput
        type="email"
        label="To"
        description="Leave empty to use your own address"
        placeholder="you@example.com"
        data-autofocus
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      {result && (
        <Alert
          role="status"
          color={result.outcome === "sent" ? "green" : "red"}
          icon={result.outcome === "sent" ? <CheckCircleIcon /> : <XCircleIcon />}
          title={result.outcome === "sent"
            ? "The provider took the email"
            : "The email was not sent"}
        >
          {result.reason && <Text size="sm">{result.reason}</Text>}
          {result.response && (
            <Text size="xs" ff="monospace" className="break-anywhere">{result.response}</Text>
          )}
        </Alert>
      )}
    </FormModal>
  );
}
