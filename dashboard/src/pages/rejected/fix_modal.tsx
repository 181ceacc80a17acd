import { Alert, Button, Group, Progress, Skeleton, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi } from "../../api/use_api.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { Modal } from "../../ui/overlays.tsx";
import { type Fix, isComplete, suggestFix } from "./fix_entry.ts";
import { FixFields } from "./fix_fields.tsx";
import { FixPreview, useExamples } from "./fix_preview.tsx";
import { FixResult } from "./fix_result.tsx";
import { listReasons, placeInEntry } from "./list_reasons.ts";
import { countTarget, resendAll, type Target } from "./resend_all.ts";

interface FixModalProps {
  target: Target;
  /** @param isDone entries were resent */
  close: (isDone: boolean) => void;
}

/** One fix for many entries, with a preview, and what became of them. */
export function FixModal({ target, close }: FixModalProps) {
  const [fix, setFix] = useState(() => startFix(target));
  const { work, done, stop } = useResendAll(target, fix);
  const count = countTarget(target);
  const leave = () => {
    stop();
    close(work.isSuccess);
  };
  return (
    <Modal
      opened
      onClose={leave}
      title={`Fix and resend ${countOf(count, "entry", "entries")}`}
      size="xl"
    >
      <Stack>
        {work.data ? <FixResult result={work.data} total={count} /> : (
          <>
            {target.kind === "reason" && (
              <Text size="sm" className="break-anywhere">
                {listReasons(target.reason.reason).join("; ")}
              </Text>
            )}
            <FixFields fix={fix} onChange={setFix} isDisabled={work.isPending} />
            {isOfSource(target) && fix.kind !== "none" && (
              <Text size="sm" c="dimmed">
                Fields are those of the payload. The source’s mapping is applied afterwards.
              </Text>
            )}
            {work.isPending
              ? <Doing done={done} count={count} />
              : <Examples target={target} fix={fix} />}
            {work.error && <ErrorState error={work.error} />}
          </>
        )}
        <Group justify="flex-end">
          {work.data ? <Button onClick={() => close(true)}>Done</Button> : (
            <>
              <Button variant="default" onClick={work.isPending ? stop : leave}>
                {work.isPending ? "Stop" : "Cancel"}
              </Button>
              <Button
                disabled={!isComplete(fix)}
                loading={work.isPending}
                onClick={() => work.mutate()}
              >
                Resend {countOf(count, "entry", "entries")}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** The fix that the reason suggests: of selected entries, that of the first. */
function startFix(target: Target): Fix {
  if (target.kind === "reason") return suggestFix(target.reason);
  const [first] = target.entries;
  if (first === undefined) return { kind: "none" };
  const { error: reason, code, field, origin } = first;
  return suggestFix({ reason, code, field: placeInEntry(field ?? ""), origin });
}

function isOfSource(target: Target): boolean {
  if (target.kind === "reason") return target.reason.origin === "inbound";
  return target.entries.some(({ origin }) => origin === "inbound");
}

function Examples({ target, fix }: { target: Target; fix: Fix }) {
  const examples = useExamples(target);
  if (examples === undefined) return <Skeleton h={150} />;
  return isComplete(fix)
    ? <FixPreview fix={fix} examples={examples} />
    : <Alert color="gray" p="xs">Fill in the fix to see what becomes of the entries.</Alert>;
}

function Doing({ done, count }: { done: number; count: number }) {
  return (
    <div role="status">
      <Progress value={(done / count) * 100} aria-label="Progress" />
      <Text size="sm" c="dimmed" mt="xs">{done} of {countOf(count, "entry", "entries")}</Text>
    </div>
  );
}

/** Resends the entries of a target once, until it is stopped. */
function useResendAll(target: Target, fix: Fix) {
  const api = useApi();
  const { id } = useWorkspace();
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const work = useSingleMutation({
    mutationFn: () => {
      isStopped.current = false;
      return resendAll({
        api,
        target,
        fix,
        isStopped: () => isStopped.current,
        onProgress: setDone,
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [id] }),
  });
  const stop = () => void (isStopped.current = true);
  return { work, done, stop };
}
