import { Group, Progress, Text, Tooltip } from "@mantine/core";
import { countOf, formatShare } from "../../numbers.ts";

interface SuccessBarProps {
  ok: number;
  failed: number;
}

/** Of a day's attempts, how many arrived. */
export function SuccessBar({ ok, failed }: SuccessBarProps) {
  const total = ok + failed;
  if (total === 0) return <Text size="xs" c="dimmed">No attempts in 24 hours</Text>;
  const share = formatShare(ok, total);
  return (
    <Tooltip
      label={`${countOf(ok, "delivered", "delivered")}, ${
        countOf(failed, "failed", "failed")
      } in 24 hours`}
    >
      <Group gap="xs" wrap="nowrap" data-hint>
        <Progress.Root size={6} flex={1} miw={60} maw={140}>
          <Progress.Section
            value={(ok / total) * 100}
            color="green"
            aria-label={`${share} delivered`}
          />
          <Progress.Section
            value={(failed / total) * 100}
            color="red"
            aria-label={countOf(failed, "failed attempt")}
          />
        </Progress.Root>
        <Text size="xs" className="tabular">{share}</Text>
      </Group>
    </Tooltip>
  );
}
