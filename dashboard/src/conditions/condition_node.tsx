import { Text } from "@mantine/core";
import { useRef } from "react";
import { ConditionLeaf, Faults, type PartProps, useFocusWhenNew } from "./condition_leaf.tsx";
import { type Draft, isNegation, makeDraft, readGroup } from "./draft.ts";
import { formatPath, useFaults } from "./faults.ts";
import type { LeafProps } from "./field_leaf.tsx";
import { AddMenu, type NodeActions, NodeMenu, NotButton } from "./node_tools.tsx";
import { useSettings } from "./settings.ts";
import { Select } from "../ui/overlays.tsx";

const kindOptions = [
  { value: "all", label: "All of these" },
  { value: "any", label: "Any of these" },
];

interface ConditionNodeProps extends LeafProps {
  /** Undefined for the condition at the top. */
  actions?: NodeActions | undefined;
}

/** A condition of any kind, with what is inside of it. */
export function ConditionNode({ draft, path, onChange, actions }: ConditionNodeProps) {
  const isNegated = isNegation(draft);
  const inner = isNegated ? draft.not : draft;
  const group = readGroup(inner);
  const innerPath = isNegated ? [...path, "not"] : path;
  const changeInner = (next: Draft) => onChange(isNegated ? { not: next } : next);
  const toggle = () => onChange(isNegated ? inner : { not: draft });
  const parts = {
    draft: inner,
    path: innerPath,
    onChange: changeInner,
    header: (
      <>
        <NotButton isNegated={isNegated} toggle={toggle} />
        {actions && (
          <NodeMenu
            actions={actions}
            wrap={() => onChange({ all: [draft] })}
            unwrap={group?.items.length === 1 && !isNegated
              ? () => onChange(group.items[0]!)
              : undefined}
          />
        )}
      </>
    ),
  };
  if (isNegation(inner)) return <DoubleNegation {...parts} />;
  if (group === undefined) return <ConditionLeaf {...parts} />;
  const isBlank = !actions && !isNegated && group.items.length === 0;
  return <ConditionGroup {...parts} isInner={!!actions} isBlank={isBlank} />;
}

/** A negation of a negation, which only JSON can write. */
function DoubleNegation({ draft, path, onChange, header }: PartProps) {
  return (
    <div className="condition-group" role="group" aria-label="Negation">
      <div className="condition-head">
        <Text size="sm">Not</Text>
        {header}
      </div>
      <ConditionNode draft={draft} path={path} onChange={onChange} />
    </div>
  );
}

interface ConditionGroupProps extends PartProps {
  /** True for a group inside another one. */
  isInner: boolean;
  /** True for the group at the top while nothing is in it: then there is nothing to combine. */
  isBlank: boolean;
}

/** Conditions that must all hold, or of which one must. */
function ConditionGroup(
  { draft, path, onChange, header, isInner, isBlank }: ConditionGroupProps,
) {
  const { focus } = useSettings();
  const { kind, items } = readGroup(draft)!;
  const element = useRef<HTMLDivElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  useFocusWhenNew(path, element);
  const own = useFaults(path).filter((fault) => fault.path.length <= path.length + 1);
  const change = (next: Draft[]) => onChange({ [kind]: next });
  const add = (draft: Draft, index = items.length) => {
    focus.current = formatPath([...path, kind, index]);
    change(items.toSpliced(index, 0, draft));
  };
  const remove = (index: number) => {
    change(items.toSpliced(index, 1));
    adder.current?.focus();
  };
  return (
    <div
      ref={element}
      className={isInner ? "condition-group is-inner" : "condition-group"}
      role="group"
      aria-label={kind === "all" ? "All of these" : "Any of these"}
    >
      {!isBlank && (
        <div className="condition-head">
          <Select
            aria-label="All or any"
            className="condition-operator"
            data={kindOptions}
            value={kind}
            onChange={(next: string | null) => next && onChange({ [next]: items })}
            allowDeselect={false}
          />
          <div className="condition-tools">{header}</div>
        </div>
      )}
      {items.map((item, index) => (
        <div key={index}>
          {index > 0 && (
            <Text size="xs" c="dimmed" fw={600} py={4} aria-hidden>
              {kind === "all" ? "AND" : "OR"}
            </Text>
          )}
          <ConditionNode
            draft={item}
            path={[...path, kind, index]}
            onChange={(next) => change(items.with(index, next))}
            actions={{ remove: () => remove(index), duplicate: () => add(item, index + 1) }}
          />
        </div>
      ))}
      <Faults faults={own} path={path} />
      <AddMenu add={(added) => add(makeDraft(added))} opener={adder} />
    </div>
  );
}
