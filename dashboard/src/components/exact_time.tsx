import { Text } from "@mantine/core";
import { formatLocal } from "../time.ts";
import { TimeAgo } from "./time_ago.tsx";

/** A moment to the millisecond, and how long ago it was. */
export function ExactTime({ time }: { time: string }) {
  return (
    <>
      <span className="tabular whole-row">{formatLocal(time)}</span>
      <Text size="xs" c="dimmed" component="div">
        <TimeAgo time={time} />
      </Text>
    </>
  );
}
