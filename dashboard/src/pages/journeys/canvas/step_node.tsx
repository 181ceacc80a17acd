import { Badge } from "@mantine/core";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { KindIcon } from "../editor/kind_icon.tsx";

/** Content of a box of the canvas. */
export interface NodeData extends Record<string, unknown> {
  id: string;
  kind: string;
  label: string;
  name: string;
  text: string;
  /** Short text below the box, such as "12 waiting". */
  figure: string;
  /** Problems with their number, such as "450 no address". */
  trouble: string;
  problems: number;
  isSelected: boolean;
  isTabStop: boolean;
  isMarked: boolean;
  isOnPath: boolean;
  /** Colour on the map. */
  tone: string;
  onSelect: (part: string, isQuiet?: boolean) => void;
}

export type FlowNode = Node<NodeData>;

/** A step on the canvas. */
export const StepNode = memo(function StepNode({ data }: NodeProps<FlowNode>) {
  const { id, kind, label, name, text, figure, trouble, problems, isMarked } = data;
  return (
    <>
      <Ends />
      <button
        type="button"
        className="journey-node nopan"
        data-step={id}
        data-kind={kind}
        data-selected={data.isSelected || undefined}
        data-marked={isMarked || undefined}
        data-on-path={data.isOnPath || undefined}
        data-faulty={problems > 0 || undefined}
        tabIndex={data.isTabStop ? 0 : -1}
        aria-current={data.isSelected ? "step" : undefined}
        onClick={() => data.onSelect(id)}
      >
        <span className="node-head">
          <KindIcon kind={kind} size={14} />
          <span className="node-label">{label}</span>
          {isMarked && <Badge color="grape" size="xs">Marked</Badge>}
          {problems > 0 && (
            <Badge color="red" size="xs">
              {problems === 1 ? "1 problem" : `${problems} problems`}
            </Badge>
          )}
        </span>
        <span className="node-text" dir="auto" title={text}>{text}</span>
        {name !== "" && <span className="node-name">{name}</span>}
      </button>
      {figure !== "" && (
        <div className="node-figure tabular">
          {figure}
          {trouble !== "" && <span className="node-trouble">{trouble}</span>}
        </div>
      )}
    </>
  );
}, (before, after) => before.data === after.data);

/** The end of a run. */
export const EndNode = memo(function EndNode(_: NodeProps<FlowNode>) {
  return (
    <>
      <Ends />
      <div className="journey-end" role="img" aria-label="The run ends" />
    </>
  );
}, () => true);

/** The places at which lines end; the library draws no line without them. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} className="hidden-handle" />
      <Handle type="source" position={Position.Right} className="hidden-handle" />
    </>
  );
}
