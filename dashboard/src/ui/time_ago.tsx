import { Text } from "@mantine/core";
import { useDisclosure, useTimeout } from "@mantine/hooks";
import { type RefObject, useEffect, useReducer, useRef } from "react";
import { formatExact, formatLocal, formatRelative } from "../format/time.ts";
import { useZone } from "../format/use_zone.ts";
import { Tooltip } from "./overlays.tsx";

const redrawMs = 20_000;
const openDelayMs = 250;

/** A moment relative to now, with the exact time in a tooltip. */
export function TimeAgo({ time }: { time: string | null | undefined }) {
  const zone = useZone();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, redrawMs);
    return () => clearInterval(timer);
  }, []);
  const [isPointedAt, { open, close }] = useDisclosure();
  const target = useRef<HTMLTimeElement>(null);
  if (!time) return <span>Never</span>;
  return (
    <>
      <time
        ref={target}
        dateTime={time}
        className="tabular"
        style={{ whiteSpace: "nowrap" }}
        onPointerEnter={open}
        onPointerLeave={close}
      >
        {formatRelative(time, zone)}
      </time>
      {isPointedAt && <ExactTooltip target={target} time={time} />}
    </>
  );
}

/** Rendered on hover only: a list has a time in every row. */
function ExactTooltip(
  { target, time }: { target: RefObject<HTMLTimeElement | null>; time: string },
) {
  const zone = useZone();
  const [isOpen, { open }] = useDisclosure();
  useTimeout(open, openDelayMs, { autoInvoke: true });
  return <Tooltip target={target} opened={isOpen} label={formatExact(time, zone)} />;
}

/** A moment to the millisecond with the name of its zone, and relative to now. */
export function ExactTime({ time }: { time: string }) {
  const zone = useZone();
  return (
    <>
      <span className="tabular whole-row">{formatLocal(time, zone)} {zone}</span>
      <Text size="xs" c="dimmed" component="div">
        <TimeAgo time={time} />
      </Text>
    </>
  );
}
