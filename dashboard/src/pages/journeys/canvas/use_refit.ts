import { useReactFlow, useStore } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import { type Layout, measureLayout } from "../model/layout.ts";

/** Least zoom at which a step is still read beside a panel that has its text. */
const leastZoom = 0.6;

interface RefitOptions {
  /** Pixels around the steps. */
  padding: { x: number; y: number };
  /** False for a canvas that keeps its place. */
  isOn: boolean;
}

/**
 * Shows all steps again when the room for them changes, while the returned ref is true. The canvas
 * sets it to false when somebody moves it.
 */
export function useRefit(layout: Layout, { padding, isOn }: RefitOptions) {
  const flow = useReactFlow();
  const roomWidth = useStore(({ width }) => width);
  const roomHeight = useStore(({ height }) => height);
  const isWhole = useRef(false);
  useLayoutEffect(() => {
    if (!isOn || !isWhole.current) return;
    const { width, height } = measureLayout(layout);
    const zoom = Math.min(
      1,
      (roomWidth - 2 * padding.x) / width,
      (roomHeight - 2 * padding.y) / height,
    );
    if (zoom < leastZoom) return;
    void flow.setViewport({
      x: (roomWidth - width * zoom) / 2,
      y: (roomHeight - height * zoom) / 2,
      zoom,
    });
  }, [roomWidth, roomHeight]);
  return isWhole;
}
