import type { Step } from "../../../api/journey_definition.ts";
import { WayField } from "./way_field.tsx";

/** Props of the fields of one kind of step. */
export interface StepFieldsProps<Kind extends Step> {
  id: string;
  step: Kind;
  /** @param field names the text that is typed into. */
  onChange: (step: Step, field?: string) => void;
}

/** The way out of a step that has one. */
export function NextField({ id }: { id: string }) {
  return <WayField slot={{ step: id, way: "next" }} label="Then" path={["next"]} />;
}
