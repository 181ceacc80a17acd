import { JsonField } from "./json_field.tsx";

interface ConditionFieldProps {
  label: string;
  description?: string;
  value: unknown;
  /** Undefined for no condition. */
  onChange: (value: unknown) => void;
  error?: string | undefined;
  isRequired?: boolean;
}

/** A condition on the customer. */
export function ConditionField(props: ConditionFieldProps) {
  return (
    <JsonField
      {...props}
      placeholder='{ "field": "attributes.plan", "op": "eq", "value": "pro" }'
    />
  );
}
