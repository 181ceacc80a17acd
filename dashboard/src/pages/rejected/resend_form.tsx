import { Alert, Anchor, Button, Group, JsonInput, Stack } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { JsonObject, RejectedEntry } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { CodeView, JsonView } from "../../ui/code_view.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";

/** The entry as it came, to be fixed and sent again. */
export function ResendForm({ entry }: { entry: RejectedEntry }) {
  const { id } = useWorkspace();
  const mayResend = useMay("member") && entry.resent_at === null;
  const original = JSON.stringify(entry.entry, null, 2);
  const [text, setText] = useState(original);
  const resend = useApiAction("POST /rejected-entries/{id}/resend", (mended: JsonObject) => ({
    params: { id: entry.id },
    body: text === original ? {} : { entry: mended },
  }));
  const mended = readObject(text);
  if (resend.data) {
    return (
      <Alert color="green" icon={<CheckIcon />} title="Sent again">
        {resend.data.results.map(({ event_id, customer_id }) => (
          <Anchor key={event_id} size="sm" {...linkTo(`/w/${id}/customers/${customer_id}`)}>
            It is on its customer's timeline now
          </Anchor>
        ))}
      </Alert>
    );
  }
  if (!mayResend) {
    return entry.is_truncated
      ? <CodeView code={String(entry.entry)} language="json" label="The entry" />
      : <JsonView value={entry.entry} label="The entry" />;
  }
  return (
    <Stack>
      <JsonInput
        label="The entry"
        description="Fix it here, then send it again"
        classNames={{ input: "mono" }}
        autosize
        minRows={8}
        maxRows={24}
        value={text}
        onChange={setText}
        error={mended ? null : "must be a JSON object"}
      />
      {resend.error && <ErrorState error={resend.error} />}
      <Group justify="flex-end">
        <Button
          disabled={!mended}
          loading={resend.isPending}
          onClick={() => mended && resend.mutate(mended)}
        >
          Send again
        </Button>
      </Group>
    </Stack>
  );
}

function readObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as JsonObject
      : null;
  } catch {
    return null;
  }
}
