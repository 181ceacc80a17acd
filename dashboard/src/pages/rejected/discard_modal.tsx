import { Text } from "@mantine/core";
import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import type { RejectionReason } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { countOf } from "../../format/numbers.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { listReasons } from "./list_reasons.ts";

interface DiscardModalProps {
  reason: RejectionReason;
  close: () => void;
}

/** Asks before all entries of a reason are put aside. */
export function DiscardModal({ reason, close }: DiscardModalProps) {
  const action = useApiAction("POST /rejected-entries/discard", () => ({ body: bodyOf(reason) }), {
    // The call takes thousands at once; the rest of a larger group stays in the list.
    onSuccess: close,
  });
  const count = countOf(reason.entries, "entry", "entries");
  return (
    <ConfirmModal
      isOpen
      close={close}
      title={`Discard ${count}?`}
      confirmLabel={`Discard ${count}`}
      action={action}
      onConfirm={() => action.mutate()}
    >
      <Text size="sm" mb="xs" className="break-anywhere">{listReasons(reason.reason)[0]}</Text>
      <Text size="sm" c="dimmed">
        The entries leave this list and are not stored as events. You find them under the status
        Discarded, and can still resend them, until {retentionDays.rejectedEntries}{" "}
        days after they arrived.
      </Text>
    </ConfirmModal>
  );
}

/** The entries that were counted, not those that have arrived since. */
function bodyOf({ reason, code, origin, field, source_id, last_at }: RejectionReason) {
  const until = new Date(Date.parse(last_at) + 1).toISOString();
  return { reason, code: code as "invalid_input", origin, field, source_id, until };
}
