import { ActionIcon, Button } from "@mantine/core";
import { XIcon } from "@primer/octicons-react";
import { countBounds, figureBounds } from "../api/condition_rules.ts";
import { boundLabels } from "./describe.ts";
import type { Draft } from "./draft.ts";
import { NumberInput, Select } from "../ui/overlays.tsx";

export const countNames: readonly string[] = countBounds;
export const figureNames: readonly string[] = figureBounds;

interface BoundsInputProps {
  /** The bounds that are allowed. */
  names: readonly string[];
  bounds: Draft;
  onChange: (bounds: Draft) => void;
  /** Whole numbers, of which "exactly" stands alone. */
  isCount: boolean;
}

/** One or several bounds of a number: "at least 2 and at most 5". */
export function BoundsInput({ names, bounds, onChange, isCount }: BoundsInputProps) {
  const entries = Object.entries(bounds);
  const free = names.filter((name) => !(name in bounds) && (name !== "eq" || entries.length === 0));
  const mayAdd = free.length > 0 && !("eq" in bounds) && entries.length < 2;
  const replace = (index: number, entry: [string, unknown]) =>
    onChange(Object.fromEntries(entries.with(index, entry)));
  return (
    <>
      {entries.map(([name, value], index) => (
        <div key={index} className="condition-row condition-bound">
          {index > 0 && <span>and</span>}
          <Select
            aria-label="Bound"
            className="condition-bound-name"
            data={[...names.filter((each) =>
              each === name || !(each in bounds)
            )]
              .filter((each) => each !== "eq" || entries.length === 1 || !isCount)
              .map((each) => ({ value: each, label: boundLabels[each] ?? each }))}
            value={name}
            onChange={(next: string | null) => next && replace(index, [next, value])}
            allowDeselect={false}
          />
          <NumberInput
            aria-label="Bound value"
            className="condition-number"
            value={typeof value === "number" ? value : ""}
            onChange={(next) => replace(index, [name, typeof next === "number" ? next : undefined])}
            allowDecimal={!isCount}
            allowNegative={!isCount}
            hideControls
          />
          {isCount && index === entries.length - 1 && <span>times</span>}
          {entries.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={`Remove bound ${index + 1}`}
              onClick={() => onChange(Object.fromEntries(entries.toSpliced(index, 1)))}
            >
              <XIcon />
            </ActionIcon>
          )}
        </div>
      ))}
      {mayAdd && (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => onChange({ ...bounds, [free[0]!]: undefined })}
        >
          Add bound
        </Button>
      )}
    </>
  );
}
