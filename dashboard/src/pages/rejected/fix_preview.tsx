import { Code, SimpleGrid, Stack, Text } from "@mantine/core";
import type { RejectedEntry } from "../../api/types.ts";
import { listRows, useApiItem, useApiList } from "../../api/use_api.ts";
import { applyFix, type Fix, isComplete } from "./fix_entry.ts";
import { filterOf, hasReason, type Target } from "./resend_all.ts";

const mostExamples = 3;

/** Up to three entries of a target; undefined until they are read. */
export function useExamples(target: Target): RejectedEntry[] | undefined {
  const reason = target.kind === "reason" ? target.reason : undefined;
  const newest = useApiItem(
    "GET /rejected-entries/{id}",
    { params: { id: reason?.example_id ?? "" } },
    { enabled: reason !== undefined },
  );
  const others = useApiList("GET /rejected-entries", {
    query: { ...reason && filterOf(reason), resent: false },
  }, { enabled: reason !== undefined, isKept: true });
  if (target.kind === "selected") return target.entries.slice(0, mostExamples);
  if (!newest.data || others.isPending) return undefined;
  const found = listRows(others).filter((entry) => hasReason(entry, target.reason));
  const all = [newest.data, ...found.filter(({ id }) => id !== newest.data.id)];
  return all.filter(({ resent_at }) => resent_at === null).slice(0, mostExamples);
}

/** Some of the entries, before and after a fix. */
export function FixPreview({ fix, examples }: { fix: Fix; examples: readonly RejectedEntry[] }) {
  return (
    <Stack gap="xs" role="group" aria-label="Preview">
      {examples.map((entry, index) => (
        <Example key={entry.id} entry={entry} fix={fix} number={index + 1} />
      ))}
    </Stack>
  );
}

interface ExampleProps {
  entry: RejectedEntry;
  fix: Fix;
  number: number;
}

function Example({ entry, fix, number }: ExampleProps) {
  if (entry.is_truncated) {
    return <Text size="sm" c="dimmed">Only the start of an entry was kept. It is skipped.</Text>;
  }
  if (fix.kind === "none") return <Shown label="Entry" number={number} value={entry.entry} />;
  const fixed = isComplete(fix) ? applyFix(entry.entry, fix) : undefined;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs">
      <Shown label="Before" number={number} value={entry.entry} />
      {fixed ? <Shown label="After" number={number} value={fixed} /> : (
        <div>
          <Text size="xs" c="dimmed" mb={4}>After</Text>
          <Text size="sm">
            {isComplete(fix)
              ? "The fix does not change this entry. It is skipped."
              : "Enter a value to preview the result."}
          </Text>
        </div>
      )}
    </SimpleGrid>
  );
}

interface ShownProps {
  label: string;
  /** Tells the examples apart. */
  number: number;
  value: unknown;
}

function Shown({ label, number, value }: ShownProps) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>{label}</Text>
      <Code
        block
        role="region"
        aria-label={`${label} ${number}`}
        tabIndex={0}
        mah={150}
        className="break-anywhere"
      >
        {JSON.stringify(value, null, 2)}
      </Code>
    </div>
  );
}
