import "@xyflow/react/dist/base.css";
import "./canvas.css";
import {
  Background,
  Controls,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  type ReactFlowState,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import {
  type Direction,
  findNeighbour,
  type Layout,
  measureLayout,
  nodeHeight,
  nodeWidth,
} from "../model/layout.ts";
import { entryPart } from "../model/parts.ts";
import type { JourneyCanvasProps } from "./canvas_props.ts";
import { CanvasHelp } from "./canvas_help.tsx";
import { EndNode, type FlowNode, StepNode } from "./step_node.tsx";
import { useFlow } from "./use_flow.ts";
import { useRefit } from "./use_refit.ts";
import { WayEdge, WayLabels } from "./way_edge.tsx";

const nodeTypes = { step: StepNode, end: EndNode };
const edgeTypes = { way: WayEdge };
/** Pixels around the steps, with room for the figures below the last ones. */
const padding = { x: 24, y: 52 };
const fitOptions = { maxZoom: 1, padding: { x: `${padding.x}px`, y: `${padding.y}px` } } as const;
/** Zoom at which the text of a step is read in its own size. */
const readableZoom = 0.85;
/** Least zoom at which a canvas opens: below it, texts are cut. */
const leastOpeningZoom = 0.75;
/** Largest growth of the text of a small step, which just fits. */
const mostGrowth = 1.9;
/** Most lines of a way's text, up to each growth at which they fit between two ways. */
const linesAt = [[1.2, 3], [1.5, 2]] as const;
/** Most growth at which a step has room for its name below its text. */
const namedGrowth = 1.1;
/** Most growth at which the text of a step has two lines. */
const twoLineGrowth = 1.5;
/** Size of a canvas from which a map leaves enough of it free, in pixels. */
const roomForMap = { width: 800, height: 420 };
const mapSize = { width: 180, height: 110 };
/** Least width of a step on the map, in pixels. */
const leastMark = 4;
/** Room around the selected step, in pixels. The buttons of its ways lie to the right of it. */
const around = { left: 16, right: 128, y: 40 };

/** The steps of a journey and the ways between them, from left to right. */
export const JourneyCanvas = memo(function JourneyCanvas(props: JourneyCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
});

function Canvas(props: JourneyCanvasProps) {
  const { selected, onSelect, onAdd, isCompact = false } = props;
  const { layout, nodes, edges, select } = useFlow(props);
  const box = useRef<HTMLDivElement>(null);
  const follow = useFollow(layout, { selected, box });
  const isWhole = useRefit(layout, { padding, isOn: onAdd === undefined });
  const keys = useArrowKeys(layout, onSelect);
  const growth = useStore(readGrowth);
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      ref={box}
      className="journey-canvas canvas-place"
      data-opening={!isOpen || undefined}
      data-small={growth > 1 || undefined}
      data-compact={isCompact || undefined}
      data-nameless={growth > namedGrowth || undefined}
      style={{
        "--growth": growth,
        "--step-lines": growth <= twoLineGrowth ? 2 : 1,
        "--steps-height": `${measureLayout(layout).height + 2 * padding.y}px`,
        "--way-lines": linesAt.find(([most]) => growth <= most)?.[1] ?? 1,
      } as CSSProperties}
      role="group"
      aria-label="Canvas. The list shows the same steps."
      onKeyDown={keys}
    >
      <Flow {...{ layout, nodes, edges, select, box, follow, setOpen, isWhole }} />
      {onAdd && <CanvasHelp />}
    </div>
  );
}

/** Returns how much larger the text must be to be read at the zoom, in steps of a tenth. */
function readGrowth({ transform: [, , zoom] }: ReactFlowState): number {
  const needed = Math.ceil(readableZoom / zoom * 10) / 10;
  return Math.min(mostGrowth, Math.max(1, needed));
}

interface FlowProps
  extends Pick<ReturnType<typeof useFlow>, "layout" | "nodes" | "edges" | "select"> {
  box: React.RefObject<HTMLDivElement | null>;
  follow: () => void;
  /** Called once the steps are where they stay. Before, a click would miss them. */
  setOpen: (isOpen: boolean) => void;
  /** True while all steps are shown, and nobody has moved the canvas. */
  isWhole: React.RefObject<boolean>;
}

/** The boxes and lines. Drawn again only if one of them changed, not with each change of the editor. */
const Flow = memo(function Flow(props: FlowProps) {
  const { layout, nodes, edges, select, box, follow, setOpen, isWhole } = props;
  const flow = useReactFlow();
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      zoomOnDoubleClick={false}
      panOnScroll
      minZoom={0.15}
      maxZoom={1.5}
      onInit={() => {
        const shown = showStart(flow as ReactFlowInstance, { layout, box: box.current });
        void shown.then((isAll) => {
          isWhole.current = isAll;
          follow();
          setOpen(true);
        });
      }}
      onPaneClick={() => select(undefined)}
      onMoveStart={(event) => {
        box.current?.toggleAttribute("data-moving", true);
        if (event !== null) isWhole.current = false;
      }}
      onMoveEnd={() => box.current?.toggleAttribute("data-moving", false)}
      proOptions={{ hideAttribution: true }}
    >
      <WayLabels edges={edges} />
      <Background gap={20} size={2} />
      <Controls
        showInteractive={false}
        fitViewOptions={fitOptions}
        onFitView={() => isWhole.current = true}
      />
      <JourneyMap layout={layout} />
    </ReactFlow>
  );
});

/** A map of a large canvas while it does not show all steps. */
function JourneyMap({ layout }: { layout: Layout }) {
  const { width, height } = useMemo(() => measureLayout(layout), [layout]);
  const isUseful = useStore((state) => {
    const [x, y, zoom] = state.transform;
    if (state.width < roomForMap.width || state.height < roomForMap.height) return false;
    return x < 0 || y < 0 || x + width * zoom > state.width || y + height * zoom > state.height;
  });
  if (!isUseful) return null;
  return (
    <MiniMap<FlowNode>
      pannable
      zoomable
      ariaLabel="Map of the journey"
      nodeClassName={readTone}
      nodeStrokeWidth={Math.max(0, leastMark * width / mapSize.width - nodeWidth)}
      style={mapSize}
    />
  );
}

function readTone({ data }: FlowNode): string {
  return data.tone;
}

interface ShownBox {
  layout: Layout;
  box: HTMLDivElement | null;
}

/**
 * Shows all steps, or the first ones in their own size if the whole would be too small to read.
 * Returns whether all are shown.
 */
async function showStart(flow: ReactFlowInstance, { layout, box }: ShownBox): Promise<boolean> {
  const { width, height } = measureLayout(layout);
  const entry = layout.nodes.find(({ id }) => id === entryPart);
  const fits = box !== null && width * leastOpeningZoom + 2 * padding.x <= box.clientWidth &&
    height * leastOpeningZoom + 2 * padding.y <= box.clientHeight;
  if (box === null || entry === undefined || fits) {
    await flow.fitView(fitOptions);
    return true;
  }
  const y = box.clientHeight / 2 - (entry.y + nodeHeight / 2);
  await flow.setViewport({ x: padding.x, y, zoom: 1 });
  return false;
}

interface FollowOptions {
  selected: string | undefined;
  box: React.RefObject<HTMLDivElement | null>;
}

/**
 * Brings the selected step and the ways after it into view, also when a panel or the window takes
 * some of the width, and returns a function that does so.
 * Moves the canvas no further than needed.
 */
function useFollow(layout: Layout, { selected, box }: FollowOptions): () => void {
  const flow = useReactFlow();
  const roomWidth = useStore(({ width }) => width);
  const node = layout.nodes.find(({ id }) => id === selected);
  const latest = useRef(node);
  latest.current = node;
  const follow = useCallback(() => {
    const node = latest.current;
    if (node === undefined || box.current === null) return;
    const { x, y, zoom } = flow.getViewport();
    const { clientWidth, clientHeight } = box.current;
    const left = (node.x - around.left) * zoom + x;
    const top = (node.y - around.y) * zoom + y;
    const right = left + (around.left + nodeWidth + around.right) * zoom;
    const bottom = top + (nodeHeight + 2 * around.y) * zoom;
    const moved = {
      x: x + findShift(left, right, clientWidth),
      y: y + findShift(top, bottom, clientHeight),
    };
    if (moved.x !== x || moved.y !== y) void flow.setViewport({ ...moved, zoom });
  }, []);
  // In the same frame as the selection, so that nothing moves under a pointer that is on its way.
  useLayoutEffect(follow, [node?.id, node?.x, node?.y, roomWidth]);
  return follow;
}

/** Returns how far a range must move to lie between 0 and a size. Its start counts more than its end. */
function findShift(start: number, end: number, size: number): number {
  return Math.max(-start, Math.min(0, size - end));
}

const directions: readonly string[] = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Moves the focus between steps: Tab comes to one of them only. */
function useArrowKeys(layout: Layout, onSelect: JourneyCanvasProps["onSelect"]) {
  return (event: KeyboardEvent<HTMLDivElement>) => {
    const from = event.target instanceof Element
      ? event.target.closest("[data-step]")?.getAttribute("data-step")
      : undefined;
    if (!from || !directions.includes(event.key)) return;
    event.preventDefault();
    const to = findNeighbour(layout, from, event.key as Direction) ?? entryPart;
    const button = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-step]")]
      .find(({ dataset }) => dataset.step === to);
    button?.focus({ preventScroll: true });
    onSelect(to, true);
  };
}
