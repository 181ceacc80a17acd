import { Alert, Button, Group, Progress, Skeleton, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi } from "../../api/use_api.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { Modal } from "../../ui/overlays.tsx";
import { type Fix, isComplete, setsCustomer, suggestFix } from "./fix_entry.ts";
import { FixFields } from "./fix_fields.tsx";
import { FixPreview, useExamples } from "./fix_preview.tsx";
import { FixResult, isWhole } from "./fix_result.tsx";
import { listReasons } from "./list_reasons.ts";
import {
  countTarget,
  resendAll,
  type ResendResult,
  type Target,
  withoutResent,
} from "./resend_all.ts";

interface FixModalProps {
  target: Target;
  /** @param isDone entries were resent */
  close: (isDone: boolean) => void;
}

/** One fix for many entries, with a preview, and what became of them. */
export function FixModal({ target: whole, close }: FixModalProps) {
  const [target, setTarget] = useState(whole);
  const [fix, setFix] = useState(() => startFix(target));
  const { work, done, stop } = useResendAll(target, fix);
  const count = countTarget(target);
  const leave = () => {
    stop();
    close(work.isSuccess);
  };
  const goBack = ({ resent }: ResendResult) => {
    setTarget(withoutResent(target, resent));
    work.reset();
  };
  return (
    <Modal
      opened
      onClose={leave}
      title={`Fix and resend ${countOf(count, "entry", "entries")}`}
      size="xl"
      // It shrinks while it works: the second of two clicks would close it.
      closeOnClickOutside={false}
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
            <Notes target={target} fix={fix} />
            {work.isPending
              ? <Doing done={done} count={count} />
              : <Examples target={target} fix={fix} />}
            {work.error && <ErrorState error={work.error} />}
          </>
        )}
        <Group justify="flex-end">
          {work.data && !isWhole(work.data) && (
            <Button
              variant="default"
              onClick={() => goBack(work.data)}
            >
              Back to the fix
            </Button>
          )}
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
  return suggestFix({ reason, code, field, origin });
}

function isOfSource(target: Target): boolean {
  if (target.kind === "reason") return target.reason.origin === "inbound";
  return target.entries.some(({ origin }) => origin === "inbound");
}

/** Notes on the fix of these entries. */
function Notes({ target, fix }: { target: Target; fix: Fix }) {
  const count = countTarget(target);
  return (
    <>
      {isOfSource(target) && fix.kind !== "none" && (
        <Text size="sm" c="dimmed">
          Fields are those of the payload. The source’s mapping is applied afterwards.
        </Text>
      )}
      {count > 1 && setsCustomer(fix) && (
        <Alert color="yellow" icon={<AlertIcon />} p="xs">
          All {countOf(count, "entry", "entries")} go to one customer: each gets the same ID.
        </Alert>
      )}
    </>
  );
}

function Examples({ target, fix }: { target: Target; fix: Fix }) {
  const examples = useExamples(target);
  if (examples === undefined) return <Skeleton h={150} />;
  return <FixPreview fix={fix} examples={examples} />;
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
      setDone(0);
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
