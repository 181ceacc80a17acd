import { Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import type { ApiClient } from "../api/api_client.ts";
import { useApi } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import { countOf } from "../format/numbers.ts";
import { countLines } from "./count_lines.ts";
import { Modal } from "./overlays.tsx";
import { useSingleMutation } from "../api/use_single_mutation.ts";

/** An action on each of several rows. */
export interface BulkAction {
  label: string;
  /** Stands before the number of rows. @default the label */
  verb?: string;
  /** Says what happens to the rows, and whether it can be undone. */
  explanation: string;
  /** @param key the row's key in the table */
  run: (api: ApiClient, key: string) => Promise<unknown>;
  isDangerous?: boolean;
  /** Label of the button that does nothing. @default "Cancel" */
  dismissal?: string;
}

interface BulkActionsProps {
  /** Noun of a row, and its plural. */
  noun: string;
  plural?: string;
  selected: ReadonlySet<string>;
  clear: () => void;
  actions: BulkAction[];
  /** Says in a line what a row is about. Equal lines are counted. */
  describe?: (key: string) => string | undefined;
  /** Buttons of actions that have a dialog of their own. */
  more?: ReactNode;
}

/** Actions on the selected rows of a list. Each asks first, with their number. */
export function BulkActions(props: BulkActionsProps) {
  const { noun, plural, selected, clear, actions, describe, more } = props;
  const [chosen, choose] = useState<BulkAction>();
  if (selected.size === 0) return null;
  const count = countOf(selected.size, noun, plural);
  return (
    <Paper p="xs" mb="sm" className="bulk-bar" role="region" aria-label="Selected rows">
      <Group gap="xs">
        <Text size="sm" fw={550} role="status">{count} selected</Text>
        {actions.map((action) => (
          <Button
            key={action.label}
            size="compact-sm"
            color={action.isDangerous ? "red" : undefined}
            onClick={() => choose(action)}
          >
            {action.label}
          </Button>
        ))}
        {more}
        <Button variant="default" size="compact-sm" onClick={clear}>Clear selection</Button>
      </Group>
      {chosen && (
        <BulkModal
          action={chosen}
          count={count}
          keys={[...selected]}
          lines={describe ? countLines([...selected].map(describe)) : []}
          close={(isDone) => {
            choose(undefined);
            if (isDone) clear();
          }}
        />
      )}
    </Paper>
  );
}

interface BulkModalProps {
  action: BulkAction;
  count: string;
  keys: string[];
  /** Lines about the rows. */
  lines: string[];
  close: (isDone: boolean) => void;
}

function BulkModal({ action, count, keys, lines, close }: BulkModalProps) {
  const { work, done, stop } = useBulkWork(action, keys);
  const failures = work.data;
  const leave = () => {
    stop();
    close(work.isSuccess);
  };
  return (
    <Modal opened onClose={leave} title={`${action.verb ?? action.label} ${count}?`}>
      <Stack>
        {!failures && <Text size="sm">{action.explanation}</Text>}
        {!failures && lines.length > 0 && (
          <Text component="ul" size="sm" c="dimmed" m={0} ps="lg">
            {lines.map((line) => <li key={line} className="break-anywhere balanced">{line}</li>)}
          </Text>
        )}
        {work.isPending && <Progress value={(done / keys.length) * 100} aria-label="Progress" />}
        {failures && (
          <div role="status">
            <Text size="sm">
              {done - failures.length} of {keys.length} done.{done < keys.length && " Stopped."}
            </Text>
            {failures.length > 0 && (
              <Text size="sm" c="red" className="break-anywhere">{failures[0]}</Text>
            )}
          </div>
        )}
        <Group justify="flex-end">
          {failures ? <Button onClick={() => close(true)}>Done</Button> : (
            <>
              <Button variant="default" onClick={work.isPending ? stop : leave}>
                {work.isPending ? "Stop" : action.dismissal ?? "Cancel"}
              </Button>
              <Button
                color={action.isDangerous ? "red" : undefined}
                loading={work.isPending}
                onClick={() => work.mutate()}
              >
                {action.verb ?? action.label} {count}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * Runs an action on one row after the other, once and until it is stopped; the result is the messages
 * of those that failed.
 */
function useBulkWork(action: BulkAction, keys: string[]) {
  const api = useApi();
  const { id } = useWorkspace();
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const work = useSingleMutation({
    mutationFn: async () => {
      const failures: string[] = [];
      for (const [index, key] of keys.entries()) {
        if (isStopped.current) break;
        await action.run(api, key).catch((error: Error) => failures.push(error.message));
        setDone(index + 1);
      }
      return failures;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [id] }),
  });
  const stop = () => void (isStopped.current = true);
  return { work, done, stop };
}
