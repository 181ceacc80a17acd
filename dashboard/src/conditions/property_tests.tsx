import { ActionIcon, Button } from "@mantine/core";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import { maxTests } from "../api/condition_rules.ts";
import type { Draft } from "./draft.ts";
import type { Path } from "./faults.ts";
import { PropertyTestInput } from "./field_leaf.tsx";

interface PropertyTestsProps {
  tests: Draft[];
  /** Place of the events, whose `where` the tests are. */
  path: Path;
  onChange: (tests: Draft[]) => void;
  /** Name of the event, for suggestions; empty for any. */
  event: string;
}

/** Tests of the properties of an event, which must all pass. */
export function PropertyTests({ tests, path, onChange, event }: PropertyTestsProps) {
  return (
    <>
      {tests.map((test, index) => (
        <div key={index} className="condition-row condition-where">
          <span>{index === 0 ? "where" : "and"}</span>
          <PropertyTestInput
            draft={test}
            path={[...path, "where", index]}
            onChange={(next) => onChange(tests.with(index, next))}
            event={event}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={`Remove property filter ${index + 1}`}
            onClick={() => onChange(tests.toSpliced(index, 1))}
          >
            <XIcon />
          </ActionIcon>
        </div>
      ))}
      {tests.length < maxTests && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<PlusIcon />}
          onClick={() => onChange([...tests, { property: "", op: "eq", value: "" }])}
        >
          Filter by property
        </Button>
      )}
    </>
  );
}
