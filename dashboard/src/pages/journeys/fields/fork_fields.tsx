import { Button, Stack } from "@mantine/core";
import { PlusIcon, TrashIcon } from "@primer/octicons-react";
import { type BranchStep, maxWays, type SplitStep } from "../../../api/journey_definition.ts";
import { useEditor } from "../editor/use_editor.ts";
import { describeWay } from "../model/describe_step.ts";
import { addWay, removeWay } from "../model/edit_steps.ts";
import {
  elseLabel,
  labelCondition,
  labelConditionWay,
  labelSplitWay,
} from "../model/way_labels.ts";
import { ConditionField } from "./condition_field.tsx";
import type { StepFieldsProps } from "./next_field.tsx";
import { useMessage } from "./use_message.ts";
import { WayField } from "./way_field.tsx";
import { NumberInput } from "../../../ui/overlays.tsx";

/** The conditions of a branch and their ways. The first condition that holds decides. */
export function BranchFields({ id, step, onChange }: StepFieldsProps<BranchStep>) {
  const message = useMessage();
  return (
    <>
      {step.branch.map(({ when }, n) => (
        <Stack key={n} gap="xs" className="inset">
          <ConditionField
            label={labelCondition(n, step.branch.length)}
            value={when}
            onChange={(condition) => {
              const changed = { ...step.branch[n]!, when: condition as object };
              const branch = step.branch.map((each, index) => index === n ? changed : each);
              onChange({ ...step, branch }, `branch.${n}.when`);
            }}
            error={message("branch", n, "when")}
            isRequired
          />
          <WayField
            slot={{ step: id, way: `${n}` }}
            label={labelConditionWay(n, step.branch.length)}
            path={["branch", n, "next"]}
          />
          {step.branch.length > 1 && (
            <RemoveWay
              label={`Remove branch ${n + 1}`}
              onClick={() => onChange(removeWay(step, n))}
            />
          )}
        </Stack>
      ))}
      {step.branch.length < maxWays && (
        <AddWay
          label="Add branch"
          onClick={() => onChange(addWay(step))}
        />
      )}
      <WayField slot={{ step: id, way: "else" }} label={elseLabel} path={["else"]} />
    </>
  );
}

/** The weights of a split and their ways. */
export function SplitFields({ id, step, onChange }: StepFieldsProps<SplitStep>) {
  const message = useMessage();
  const { nameOf } = useEditor();
  return (
    <>
      {step.split.map(({ weight }, n) => (
        <Stack key={n} gap="xs" className="inset">
          <NumberInput
            label={`Weight ${n + 1}`}
            description={`${describeWay(step, `${n}`, nameOf)} of the customers`}
            value={weight}
            min={0}
            max={1000}
            onChange={(value) => {
              const changed = { ...step.split[n]!, weight: Number(value) };
              const split = step.split.map((each, index) => index === n ? changed : each);
              onChange({ split }, `split.${n}.weight`);
            }}
            error={message("split", n, "weight")}
          />
          <WayField
            slot={{ step: id, way: `${n}` }}
            label={labelSplitWay(n)}
            path={["split", n, "next"]}
          />
          {step.split.length > 2 && (
            <RemoveWay
              label={`Remove way ${n + 1}`}
              onClick={() => onChange(removeWay(step, n))}
            />
          )}
        </Stack>
      ))}
      {step.split.length < maxWays && (
        <AddWay
          label="Add a way"
          onClick={() => onChange(addWay(step))}
        />
      )}
    </>
  );
}

function AddWay({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button variant="subtle" size="compact-sm" leftSection={<PlusIcon />} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

function RemoveWay({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        leftSection={<TrashIcon />}
        onClick={onClick}
      >
        {label}
      </Button>
    </div>
  );
}
