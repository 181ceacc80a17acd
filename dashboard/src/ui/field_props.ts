/** Properties of a field for an optional text value. */
export interface FieldProps {
  label: string;
  description?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error?: string | undefined;
  placeholder?: string;
  /** An empty field that is required stays a fault. */
  isRequired?: boolean;
}
