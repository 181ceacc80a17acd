import dagre from "@dagrejs/dagre";
import type { Definition } from "../../../api/journey_definition.ts";
import { edgeId, entryPart } from "./parts.ts";
import { type FilledSlot, listAllSlots, type Slot } from "./slots.ts";

export const nodeWidth = 176;
export const nodeHeight = 84;
const endSize = 28;
/** Size of a label with up to three lines of text above its button, or its number. */
const textLabel = { width: 132, height: 64 };
const shortLabel = { width: 36, height: 44 };
const margin = 8;
/** Between steps above each other. Figures below a step need more. */
const stepGap = { plain: 28, figures: 76 };

/** A box of the canvas, with the place of its top left corner in pixels. */
export interface PlacedNode {
  id: string;
  kind: "entry" | "step" | "end";
  x: number;
  y: number;
}

/** A line of the canvas, from one box to another. */
export interface PlacedEdge {
  id: string;
  slot: Slot;
  from: string;
  to: string;
  points: readonly { x: number; y: number }[];
  /** Centre of the label. */
  label: { x: number; y: number };
}

export interface Layout {
  nodes: readonly PlacedNode[];
  edges: readonly PlacedEdge[];
}

/** Places the steps from left to right, with the entry first and an end for each way that ends. */
export function layOut(definition: Definition, hasFigures = false): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: "LR",
    nodesep: hasFigures ? stepGap.figures : stepGap.plain,
    ranksep: 12,
    edgesep: 20,
    marginx: margin,
    marginy: margin,
  });
  const kinds = new Map<string, PlacedNode["kind"]>([[entryPart, "entry"]]);
  for (const id of Object.keys(definition.steps)) kinds.set(id, "step");
  const edges = listAllSlots(definition).map((slot) => makeEdge(definition, slot));
  for (const { to } of edges) if (!kinds.has(to)) kinds.set(to, "end");
  for (const [id, kind] of kinds) {
    const isEnd = kind === "end";
    graph.setNode(id, {
      width: isEnd ? endSize : nodeWidth,
      height: isEnd ? endSize : nodeHeight,
    });
  }
  for (const { id, slot, from, to } of edges) {
    const size = hasText(definition, slot) ? textLabel : shortLabel;
    graph.setEdge(from, to, { ...size, labelpos: "c" }, id);
  }
  dagre.layout(graph);
  return {
    nodes: [...kinds].map(([id, kind]) => {
      const { x, y, width, height } = graph.node(id);
      return { id, kind, x: x - width / 2, y: y - height / 2 };
    }),
    edges: edges.map((edge) => {
      const { points, x, y } = graph.edge(edge.from, edge.to, edge.id);
      return { ...edge, points, label: { x: x ?? 0, y: y ?? 0 } };
    }),
  };
}

/** Returns the width and height of all steps together, in pixels. */
export function measureLayout({ nodes }: Layout): { width: number; height: number } {
  return {
    width: Math.max(...nodes.map(({ kind, x }) => x + (kind === "end" ? endSize : nodeWidth))) +
      margin,
    height: Math.max(...nodes.map(({ kind, y }) => y + (kind === "end" ? endSize : nodeHeight))) +
      margin,
  };
}

/** Returns whether a text stands at a way: a condition, a share or an event. */
function hasText({ steps }: Definition, { step, way }: Slot): boolean {
  const from = step === null ? undefined : steps[step];
  if (from === undefined) return false;
  return way !== "next" || "wait_for" in from;
}

function makeEdge({ steps }: Definition, { step, way, to }: FilledSlot) {
  const id = edgeId({ step, way });
  const isStep = to !== undefined && Object.hasOwn(steps, to);
  return { id, slot: { step, way }, from: step ?? entryPart, to: isStep ? to : `@end ${id}` };
}

/** A key that moves between steps. */
export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** Finds the step beside another one: along the ways to the sides, else the nearest above or below. */
export function findNeighbour(
  { nodes, edges }: Layout,
  id: string,
  direction: Direction,
): string | undefined {
  const isShown = (to: string) => nodes.some((node) => node.id === to && node.kind !== "end");
  if (direction === "ArrowRight") {
    return edges.find(({ from, to }) => from === id && isShown(to))?.to;
  }
  if (direction === "ArrowLeft") return edges.find(({ to }) => to === id)?.from;
  const here = nodes.find((node) => node.id === id);
  if (here === undefined) return undefined;
  const sign = direction === "ArrowDown" ? 1 : -1;
  const distance = (node: PlacedNode) => Math.abs(node.x - here.x) * 2 + Math.abs(node.y - here.y);
  return nodes.filter((node) => node.kind !== "end" && (node.y - here.y) * sign > 1)
    .toSorted((a, b) => distance(a) - distance(b))[0]?.id;
}

/** Draws a line through points, with round corners, as the path of an SVG. */
export function drawPath(points: Layout["edges"][number]["points"]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const last = rest.pop() ?? first;
  const curves = rest.map((point, n) => {
    const next = rest[n + 1] ?? last;
    const end = n === rest.length - 1
      ? next
      : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q ${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return [`M ${first.x} ${first.y}`, ...curves, `L ${last.x} ${last.y}`].join(" ");
}
