import { operatorsOf, propertyOperators } from "../api/condition_rules.ts";
import { makeEmpty, type SeenPath } from "./collect_paths.ts";
import { contextPrefix, type Draft } from "./draft.ts";
import { type Path, useHasFault } from "./faults.ts";
import { ContextInput, FieldInput, PropertyInput, typeOfField } from "./path_input.tsx";
import { changeOperator, TestInput } from "./test_input.tsx";
import { useAttributePaths, usePropertyPaths } from "./use_suggestions.ts";

export interface LeafProps {
  draft: Draft;
  path: Path;
  onChange: (draft: Draft) => void;
}

/** A test of a field of the customer. */
export function FieldLeaf(
  { draft, path, onChange, allowsTrigger }: LeafProps & { allowsTrigger?: boolean },
) {
  const hasFault = useHasFault(path);
  const attributes = useAttributePaths();
  const type = typeOfField(draft.field);
  const seen = attributes.find((each) => `attributes.${each.path}` === draft.field);
  const choose = (field: string) => {
    const found = attributes.find((each) => `attributes.${each.path}` === field);
    onChange(fitField({ ...draft, field }, found));
  };
  return (
    <>
      <FieldInput
        value={draft.field}
        onChange={choose}
        hasError={hasFault("field")}
        allowsTrigger={allowsTrigger}
      />
      <TestInput
        draft={draft}
        path={path}
        onChange={onChange}
        type={type}
        operators={operatorsOf[type]}
        seen={seen?.values ?? []}
      />
    </>
  );
}

/** Gives a test of another field an operator and a value that fit it. */
export function fitField(draft: Draft, seen: SeenPath | undefined): Draft {
  const operators = operatorsOf[typeOfField(draft.field)];
  const op = operators.find((name) => name === draft.op) ?? operators[0]!;
  const changed = op === draft.op ? draft : changeOperator(draft, op);
  if (typeOfField(draft.field) === "boolean") {
    return { ...changed, value: typeof changed.value === "boolean" ? changed.value : true };
  }
  return fitValue(changed, seen);
}

/** Gives an empty value the type that was seen. */
function fitValue(draft: Draft, seen: SeenPath | undefined): Draft {
  return seen !== undefined && draft.value === ""
    ? { ...draft, value: makeEmpty(seen.type) }
    : draft;
}

interface PropertyTestProps extends LeafProps {
  /** Name of the event; empty for any. */
  event: string;
}

/** A test of a property of an event. */
export function PropertyTestInput({ draft, path, onChange, event }: PropertyTestProps) {
  const hasFault = useHasFault(path);
  const paths = usePropertyPaths(event);
  const seen = paths.find((each) => each.path === draft.property);
  return (
    <>
      <PropertyInput
        value={draft.property}
        onChange={(property) =>
          onChange(fitValue({ ...draft, property }, paths.find((each) => each.path === property)))}
        hasError={hasFault("property")}
        paths={paths}
      />
      <TestInput
        draft={draft}
        path={path}
        onChange={onChange}
        type="any"
        operators={propertyOperators}
        seen={seen?.values ?? []}
      />
    </>
  );
}

/** A test of the context of an event. */
export function ContextTestInput({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  return (
    <>
      <ContextInput
        value={String(draft.field).slice(contextPrefix.length)}
        onChange={(name) => onChange({ ...draft, field: contextPrefix + name })}
        hasError={hasFault("field")}
      />
      <TestInput
        draft={draft}
        path={path}
        onChange={onChange}
        type="any"
        operators={propertyOperators}
        seen={[]}
      />
    </>
  );
}
