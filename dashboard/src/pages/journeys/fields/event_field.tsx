import { engagements } from "../../../api/service_events.ts";
import { useEventTypes } from "../../../api/use_event_types.ts";
import { Autocomplete } from "../../../ui/overlays.tsx";

interface EventFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** The name of an event, with the names that were seen as suggestions. */
export function EventField(props: EventFieldProps) {
  const { seen } = useEventTypes();
  return (
    <Autocomplete
      {...props}
      placeholder="order_completed"
      data={[...new Set([...seen, ...engagements])]}
      withAsterisk
    />
  );
}
