import { useCallback, useMemo, useRef } from "react";
import {
  describeStep,
  describeTrigger,
  describeWay,
  kindLabels,
  kindOf,
} from "../model/describe_step.ts";
import { edgeId } from "../model/parts.ts";
import { layOut, nodeHeight, nodeWidth, type PlacedNode } from "../model/layout.ts";
import { isSame } from "../model/is_same.ts";
import { entryPart } from "../model/parts.ts";
import { listAllSlots } from "../model/slots.ts";
import type { JourneyCanvasProps } from "./canvas_props.ts";
import type { FlowNode, NodeData } from "./step_node.tsx";
import type { FlowEdge } from "./way_edge.tsx";

/** Builds the boxes and lines of the canvas. Those that did not change keep their identity. */
export function useFlow(props: JourneyCanvasProps) {
  const { definition, nameOf, path, figures, onAdd, onSelect } = props;
  // Typing into a step changes its text, but not the places.
  const shape = JSON.stringify(listAllSlots(definition)) + Object.keys(definition.steps).join();
  const hasFigures = figures !== undefined;
  const layout = useMemo(() => layOut(definition, hasFigures), [shape, hasFigures]);
  const latest = useRef({ layout, onAdd, onSelect });
  latest.current = { layout, onAdd, onSelect };
  // The same function for all boxes and as long as the canvas is there: a new one would draw all again.
  const select = useCallback<JourneyCanvasProps["onSelect"]>(
    (part, isQuiet) => latest.current.onSelect(part, isQuiet),
    [],
  );
  // One function per way for as long as the canvas is there.
  const adders = useRef(new Map<string, () => void>());
  function addTo(id: string): () => void {
    const known = adders.current.get(id);
    if (known) return known;
    const add = () => {
      const { layout, onAdd } = latest.current;
      const slot = layout.edges.find((edge) => edge.id === id)?.slot;
      if (slot) onAdd?.(slot);
    };
    adders.current.set(id, add);
    return add;
  }
  const nodes = useKept(layout.nodes.map((node) => makeNode(node, { ...props, onSelect: select })));
  const taken = useMemo(() => listTaken(path), [path]);
  const edges = useKept(layout.edges.map((edge): FlowEdge => {
    const { id, slot, from, to, points, label } = edge;
    const step = slot.step === null ? undefined : definition.steps[slot.step];
    return {
      id,
      source: from,
      target: to,
      type: "way",
      data: {
        points,
        label,
        text: step === undefined ? "" : describeWay(step, slot.way, nameOf),
        figure: figures?.ways.get(edgeId(slot)) ?? "",
        isTaken: taken.has(id),
        from: slot.step ?? "the trigger",
        add: onAdd && addTo(id),
      },
    };
  }));
  return { layout, nodes, edges, select };
}

/** Names the edges that a simulated run took. */
function listTaken(path: JourneyCanvasProps["path"]): ReadonlySet<string> {
  if (path === undefined) return new Set();
  const ways = path.map(({ step, outcome }) => edgeId({ step, way: String(outcome.way) }));
  return new Set([edgeId({ step: null, way: "start" }), ...ways]);
}

function makeNode(node: PlacedNode, props: JourneyCanvasProps): FlowNode {
  const { id, kind, x, y } = node;
  const isEnd = kind === "end";
  const [width, height] = isEnd ? [28, 28] : [nodeWidth, nodeHeight];
  return {
    id,
    type: isEnd ? "end" : "step",
    position: { x, y },
    width,
    height,
    // Known before the browser has measured it, so that nothing flickers.
    measured: { width, height },
    data: makeData(node, props),
  };
}

function makeData({ id, kind }: PlacedNode, props: JourneyCanvasProps): NodeData {
  const { definition, nameOf, selected, onSelect, marked, problems, path, figures } = props;
  const step = definition.steps[id];
  const stepKind = step === undefined ? "entry" : kindOf(step);
  const isOnPath = path !== undefined &&
    (id === entryPart || path.some((visit) => visit.step === id));
  const isSelected = selected === id;
  const hasProblems = (problems?.get(id)?.length ?? 0) > 0;
  return {
    id,
    kind: stepKind,
    label: step === undefined ? "Trigger" : kindLabels[kindOf(step)],
    name: step === undefined ? "" : id,
    text: step === undefined
      ? describeTrigger(definition.trigger, nameOf)
      : describeStep(step, nameOf),
    figure: figures?.steps.get(id) ?? "",
    trouble: figures?.troubles.get(id) ?? "",
    problems: problems?.get(id)?.length ?? 0,
    isSelected,
    // Tab comes to the selected step, or else to the trigger.
    isTabStop: isSelected || (id === entryPart && (selected === undefined || selected === "@ends")),
    isMarked: marked?.has(id) ?? false,
    isOnPath,
    tone: kind === "end"
      ? "end"
      : hasProblems
      ? "faulty"
      : isSelected || isOnPath
      ? "strong"
      : "plain",
    onSelect,
  };
}

/** Keeps the identity of items that did not change, or only moved, so that only others are drawn again. */
function useKept<Item extends { id: string; data?: unknown }>(items: Item[]): Item[] {
  const kept = useRef<Item[]>([]);
  const known = new Map(kept.current.map((item) => [item.id, item]));
  const next = items.map((item) => {
    const before = known.get(item.id);
    if (before === undefined) return item;
    if (isSame(before, item)) return before;
    return isSame(before.data, item.data) ? { ...item, data: before.data } : item;
  });
  const isKept = next.length === kept.current.length &&
    next.every((item, n) => item === kept.current[n]);
  if (!isKept) kept.current = next;
  return kept.current;
}
