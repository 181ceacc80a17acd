import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useRef } from "react";
import { useAttributePaths } from "../../../conditions/use_suggestions.ts";
import { CustomerFilter } from "../../events/customer_filter.tsx";
import { profileFields } from "../fields/step_fields.tsx";
import { ValuesField } from "../fields/values_field.tsx";
import { setOrRemove } from "../model/slots.ts";
import { EventFields } from "./event_fields.tsx";
import type { TestEvent, TestInput, Values } from "./test_input.ts";

/** Changes an input, as it is by then. */
export type ChangeInput = (change: (input: TestInput) => TestInput) => void;

interface InputFieldsProps {
  input: TestInput;
  change: ChangeInput;
}

/** The customer of a test, and what happens to them. */
export function InputFields({ input, change }: InputFieldsProps) {
  const { customer_id, profile, trigger, events = [] } = input;
  const choose = (id: string | undefined) =>
    change((current) => {
      const chosen = setOrRemove(current, "customer_id", id);
      return id === undefined ? chosen : setOrRemove(chosen, "profile", undefined);
    });
  return (
    <>
      <CustomerFilter value={customer_id} onChange={choose} />
      {customer_id === undefined && (
        <MadeUpCustomer
          profile={profile}
          onChange={(next) => change((current) => setOrRemove(current, "profile", next))}
        />
      )}
      <Events events={events} change={change} />
      {events.length === 0 && (
        <ValuesField
          label="Data of the trigger"
          description="Without an event, the customer enters immediately, with this data"
          noun="value"
          names={[]}
          type="any"
          value={trigger}
          onChange={(next) => change((current) => setOrRemove(current, "trigger", next))}
        />
      )}
    </>
  );
}

interface MadeUpCustomerProps {
  profile: Values | undefined;
  onChange: (profile: Values | undefined) => void;
}

/** The fields and attributes of a customer who does not exist. */
function MadeUpCustomer({ profile = {}, onChange }: MadeUpCustomerProps) {
  const { attributes, ...fields } = profile;
  const paths = useAttributePaths().map(({ path }) => path);
  const change = (changed: Values, added: unknown) => {
    const next = added === undefined ? changed : { ...changed, attributes: added };
    onChange(Object.keys(next).length > 0 ? next : undefined);
  };
  return (
    <>
      <ValuesField
        label="Or a made-up customer"
        description="Such as email and country"
        noun="field"
        names={profileFields}
        type="text"
        value={fields}
        onChange={(next = {}) => change(next, attributes)}
      />
      <ValuesField
        label="Attributes"
        description="Of the made-up customer"
        noun="attribute"
        names={paths.filter((path) => !path.includes("."))}
        type="any"
        value={attributes as Values | undefined}
        onChange={(next) => change(fields, next)}
      />
    </>
  );
}

interface EventsProps {
  events: readonly TestEvent[];
  change: ChangeInput;
}

/** Events that happen to the customer, from the one that the journey begins with. */
function Events({ events, change }: EventsProps) {
  const added = useRef<number>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const changeEvents = (edit: (events: readonly TestEvent[]) => readonly TestEvent[]) =>
    change((current) => {
      const next = edit(current.events ?? []);
      return setOrRemove(current, "events", next.length > 0 ? next : undefined);
    });
  return (
    <>
      {events.map((event, n) => (
        <EventFields
          key={n}
          event={event}
          number={n + 1}
          isNew={n === added.current}
          onChange={(next) => changeEvents((current) => current.with(n, next))}
          remove={() => {
            changeEvents((current) => current.toSpliced(n, 1));
            button.current?.focus();
          }}
        />
      ))}
      <div>
        <Button
          ref={button}
          variant="subtle"
          size="compact-sm"
          leftSection={<PlusIcon />}
          onClick={() => {
            added.current = events.length;
            changeEvents((current) => [...current, { name: "" }]);
          }}
        >
          Add an event
        </Button>
      </div>
    </>
  );
}
