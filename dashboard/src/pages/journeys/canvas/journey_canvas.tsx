import "@xyflow/react/dist/base.css";
import "./canvas.css";
import {
  Background,
  Controls,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from "react";
import {
  type Direction,
  findNeighbour,
  type Layout,
  nodeHeight,
  nodeWidth,
} from "../model/layout.ts";
import { entryPart } from "../model/problems.ts";
import type { JourneyCanvasProps } from "./canvas_props.ts";
import { CanvasHelp } from "./canvas_help.tsx";
import { EndNode, type FlowNode, StepNode } from "./step_node.tsx";
import { useFlow } from "./use_flow.ts";
import { WayEdge, WayLabels } from "./way_edge.tsx";

const nodeTypes = { step: StepNode, end: EndNode };
const edgeTypes = { way: WayEdge };
const fitOptions = { maxZoom: 1, padding: 0.06 };
/** Zoom at which the text of a step still reads well. */
const readableZoom = 0.85;
/** Width of the map, in pixels. */
const mapWidth = 200;
/** Least width of a step on the map, in pixels. */
const leastMark = 4;

/** The steps of a journey and the ways between them, from left to right. */
export const JourneyCanvas = memo(function JourneyCanvas(props: JourneyCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
});

function Canvas(props: JourneyCanvasProps) {
  const { selected, onSelect, onAdd } = props;
  const { layout, nodes, edges, select } = useFlow(props);
  const box = useRef<HTMLDivElement>(null);
  useFollow(layout, { selected, box });
  const keys = useArrowKeys(layout, onSelect);
  return (
    <div
      ref={box}
      className="journey-canvas"
      role="group"
      aria-label="Canvas. The list shows the same steps."
      onKeyDown={keys}
    >
      <Flow layout={layout} nodes={nodes} edges={edges} select={select} box={box} />
      {onAdd && <CanvasHelp />}
    </div>
  );
}

interface FlowProps
  extends Pick<ReturnType<typeof useFlow>, "layout" | "nodes" | "edges" | "select"> {
  box: React.RefObject<HTMLDivElement | null>;
}

/** The boxes and lines. Drawn again only if one of them changed, not with each change of the editor. */
const Flow = memo(function Flow({ layout, nodes, edges, select, box }: FlowProps) {
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
      onInit={() => showStart(flow as ReactFlowInstance, { layout, box: box.current })}
      onPaneClick={() => select(undefined)}
      onMoveStart={() => box.current?.toggleAttribute("data-moving", true)}
      onMoveEnd={() => box.current?.toggleAttribute("data-moving", false)}
      proOptions={{ hideAttribution: true }}
    >
      <WayLabels edges={edges} />
      <Background gap={20} />
      <Controls showInteractive={false} />
      <MiniMap<FlowNode>
        pannable
        zoomable
        ariaLabel="Map of the journey"
        nodeClassName={readTone}
        nodeStrokeWidth={markWidth(layout)}
      />
    </ReactFlow>
  );
});

function readTone({ data }: FlowNode): string {
  return data.tone;
}

/** Width of the line around a step on the map, which keeps the steps of a long journey visible. */
function markWidth({ nodes }: Layout): number {
  const width = Math.max(...nodes.map(({ x }) => x)) + nodeWidth;
  return Math.max(0, leastMark * width / mapWidth - nodeWidth);
}

interface ShownBox {
  layout: Layout;
  box: HTMLDivElement | null;
}

/** Shows all steps, or the first ones if the whole would be too small to read. */
function showStart(flow: ReactFlowInstance, { layout, box }: ShownBox): void {
  const width = Math.max(...layout.nodes.map(({ x }) => x)) + nodeWidth;
  const entry = layout.nodes.find(({ id }) => id === entryPart);
  if (box === null || entry === undefined || width * readableZoom <= box.clientWidth) {
    void flow.fitView(fitOptions);
    return;
  }
  const y = box.clientHeight / 2 - (entry.y + nodeHeight / 2) * readableZoom;
  void flow.setViewport({ x: 24, y, zoom: readableZoom });
}

interface FollowOptions {
  selected: string | undefined;
  box: React.RefObject<HTMLDivElement | null>;
}

/** Brings the selected step into view when it lies outside. */
function useFollow(layout: Layout, { selected, box }: FollowOptions): void {
  const flow = useReactFlow();
  const node = useMemo(
    () => layout.nodes.find(({ id }) => id === selected),
    [layout, selected],
  );
  useEffect(() => {
    if (node === undefined || box.current === null) return;
    const { x, y, zoom } = flow.getViewport();
    const { clientWidth, clientHeight } = box.current;
    const [left, top] = [node.x * zoom + x, node.y * zoom + y];
    const isInside = left >= 0 && top >= 0 && left + nodeWidth * zoom <= clientWidth &&
      top + nodeHeight * zoom <= clientHeight;
    if (isInside) return;
    const centre = { x: node.x + nodeWidth / 2, y: node.y + nodeHeight / 2 };
    void flow.setCenter(centre.x, centre.y, { zoom: Math.max(zoom, 0.6) });
  }, [node?.id, node?.x, node?.y]);
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
