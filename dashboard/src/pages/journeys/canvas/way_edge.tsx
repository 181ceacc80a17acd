import { type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { PlusIcon } from "@primer/octicons-react";
import { memo } from "react";
import { drawPath } from "../model/layout.ts";

/** Content of a line of the canvas. */
export interface EdgeData extends Record<string, unknown> {
  points: readonly { x: number; y: number }[];
  /** Centre of the label. */
  label: { x: number; y: number };
  text: string;
  /** Number of runs that went this way. */
  figure: string;
  isTaken: boolean;
  /** Step that the way leaves. */
  from: string;
  add: (() => void) | undefined;
}

export type FlowEdge = Edge<EdgeData>;

/** The line of a way between two steps. */
export const WayEdge = memo(function WayEdge({ data }: EdgeProps<FlowEdge>) {
  if (data === undefined) return null;
  const { points, isTaken } = data;
  return <path className="journey-way" d={drawPath(points)} data-taken={isTaken || undefined} />;
}, (before, after) => before.data === after.data);

/** The labels of all ways. They share a place: each of their own would look for it at each change. */
export function WayLabels({ edges }: { edges: readonly FlowEdge[] }) {
  return (
    <EdgeLabelRenderer>
      {edges.map(({ id, data }) => data && <WayLabel key={id} data={data} />)}
    </EdgeLabelRenderer>
  );
}

/** The label of a way, with a button that adds a step. */
const WayLabel = memo(function WayLabel({ data }: { data: EdgeData }) {
  const { label, text, figure, from, add } = data;
  return (
    <div
      className="way-label nopan"
      style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
    >
      {text !== "" && <span className="way-text" title={text}>{text}</span>}
      {figure !== "" && <span className="way-figure tabular">{figure}</span>}
      {add && (
        <button
          type="button"
          className="way-add"
          tabIndex={-1}
          aria-label={`Add a step after ${from}${text === "" ? "" : `, ${text}`}`}
          onClick={add}
        >
          <PlusIcon size={14} />
        </button>
      )}
    </div>
  );
});
