import { useEventTypes } from "../../../api/use_event_types.ts";
import { Autocomplete } from "../../../ui/overlays.tsx";

/** Events that the service stores about its own sends. */
const engagements = [
  "email_sent",
  "email_delivered",
  "email_opened",
  "email_clicked",
  "email_bounced",
  "email_complained",
  "unsubscribed",
];

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
