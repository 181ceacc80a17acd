import { Alert, List, Text } from "@mantine/core";
import { AlertIcon, CheckIcon } from "@primer/octicons-react";
import { countOf } from "../../format/numbers.ts";
import type { ResendResult } from "./resend_all.ts";

/** Returns whether no entry is left to be fixed. */
export function isWhole(result: ResendResult): boolean {
  return countRejected(result) === 0 && result.skipped === 0 && !result.isStopped;
}

function countRejected({ failures }: ResendResult): number {
  return [...failures.values()].reduce((sum, count) => sum + count, 0);
}

/** Outcome of a fix: the entries that were resent, skipped or rejected again. */
export function FixResult({ result, total }: { result: ResendResult; total: number }) {
  const { skipped, failures, isStopped } = result;
  const resent = result.resent.size;
  const rejected = countRejected(result);
  const isGood = isWhole(result);
  const title = resent === 0
    ? "Nothing was resent"
    : `${resent} of ${countOf(total, "entry", "entries")} resent`;
  return (
    <Alert
      role="status"
      color={isGood ? "green" : "orange"}
      icon={isGood ? <CheckIcon /> : <AlertIcon />}
      title={isStopped ? `${title}. Stopped.` : title}
    >
      {skipped > 0 && (
        <Text size="sm">
          {countOf(skipped, "entry was", "entries were")} skipped: the fix does not change{" "}
          {skipped === 1 ? "it" : "them"}, or only the start was kept.
        </Text>
      )}
      {rejected > 0 && (
        <>
          <Text size="sm">{countOf(rejected, "entry", "entries")} still rejected:</Text>
          <List size="sm" aria-label="Remaining problems">
            {[...failures].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => (
              <List.Item key={reason} className="break-anywhere">{count} × {reason}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
