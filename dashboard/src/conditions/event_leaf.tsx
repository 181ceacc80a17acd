import { useEventTypes } from "../api/use_event_types.ts";
import { BoundsInput, countNames, figureNames } from "./bounds_input.tsx";
import type { Draft } from "./draft.ts";
import { DurationInput } from "./duration_input.tsx";
import { changeMeasure, changeSpan, measureOf, spanOf } from "./event_parts.ts";
import { useHasFault } from "./faults.ts";
import type { LeafProps } from "./field_leaf.tsx";
import { InstantInput } from "./instant_input.tsx";
import { OperatorSelect } from "./operator_select.tsx";
import { PropertyInput } from "./path_input.tsx";
import { PropertyTests } from "./property_tests.tsx";
import { usePropertyPaths } from "./use_suggestions.ts";
import { Autocomplete } from "../ui/overlays.tsx";

const measureOptions = [
  { value: "happened", label: "happened" },
  { value: "never", label: "did not happen" },
  { value: "count", label: "happened this often" },
  { value: "sum", label: "has a sum of" },
  { value: "min", label: "has a smallest" },
  { value: "max", label: "has a largest" },
];
const spanOptions = [
  { value: "all", label: "at any time" },
  { value: "within", label: "in the last" },
  { value: "fixed", label: "between dates" },
];

/** Events that the customer has, or has not, done. */
export function EventLeaf({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  const names = useEventTypes().seen;
  return (
    <>
      <Autocomplete
        aria-label="Event name"
        className="condition-path"
        placeholder="Event name"
        data={names}
        limit={100}
        maxDropdownHeight={320}
        value={typeof draft.event === "string" ? draft.event : ""}
        onChange={(event) => onChange({ ...draft, event })}
        error={hasFault("event")}
      />
      <Measure draft={draft} path={path} onChange={onChange} />
      <Span draft={draft} path={path} onChange={onChange} />
      <Where draft={draft} path={path} onChange={onChange} />
    </>
  );
}

function Measure({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  const measure = measureOf(draft);
  const paths = usePropertyPaths(String(draft.event ?? "")).filter(({ type }) => type === "number");
  const part = (draft[measure] ?? {}) as Draft;
  const { property, ...bounds } = part;
  const isFigure = measure === "sum" || measure === "min" || measure === "max";
  return (
    <>
      <OperatorSelect
        aria-label="Measure"
        data={measureOptions}
        value={measure}
        onChange={(next) => onChange(changeMeasure(draft, next))}
        error={hasFault("count", "sum", "min", "max")}
      />
      {isFigure && (
        <PropertyInput
          value={property}
          onChange={(name) => onChange({ ...draft, [measure]: { ...part, property: name } })}
          paths={paths}
        />
      )}
      {(isFigure || measure === "count") && (
        <BoundsInput
          names={isFigure ? figureNames : countNames}
          bounds={bounds}
          onChange={(next) =>
            onChange({ ...draft, [measure]: isFigure ? { property, ...next } : next })}
          isCount={!isFigure}
        />
      )}
    </>
  );
}

function Span({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  const span = spanOf(draft);
  const change = (name: "since" | "until", time: string) => {
    const { [name]: _, ...rest } = draft;
    onChange(time === "" ? rest : { ...rest, [name]: time });
  };
  return (
    <>
      <OperatorSelect
        aria-label="When"
        data={spanOptions}
        value={span}
        onChange={(next) => onChange(changeSpan(draft, next))}
      />
      {span === "within" && (
        <DurationInput
          value={draft.within}
          onChange={(within) => onChange({ ...draft, within })}
          hasError={hasFault("within")}
        />
      )}
      {span === "fixed" && (
        <>
          <InstantInput
            label="From"
            value={draft.since}
            onChange={(time) => change("since", time)}
            hasError={hasFault("since")}
          />
          <InstantInput
            label="To"
            value={draft.until}
            onChange={(time) => change("until", time)}
            hasError={hasFault("until")}
          />
        </>
      )}
    </>
  );
}

function Where({ draft, path, onChange }: LeafProps) {
  const change = (where: Draft[]) => {
    const { where: _, ...rest } = draft;
    onChange(where.length === 0 ? rest : { ...rest, where });
  };
  return (
    <PropertyTests
      tests={(Array.isArray(draft.where) ? draft.where : []) as Draft[]}
      path={path}
      onChange={change}
      event={String(draft.event ?? "")}
    />
  );
}
