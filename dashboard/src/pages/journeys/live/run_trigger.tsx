import { Anchor, Box, Stack, Title } from "@mantine/core";
import type { Run } from "../../../api/types.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { sortKeys } from "../../../format/sort_keys.ts";
import { JsonView } from "../../../ui/code_view.tsx";
import { type Field, FieldList } from "../../../ui/field_list.tsx";
import { linkTo } from "../../../ui/link_to.ts";
import { ExactTime } from "../../../ui/time_ago.tsx";
import type { NameOf } from "../model/name_of.ts";

interface RunTriggerProps {
  run: Run;
  nameOf: NameOf;
}

/** The event, change or call that began a run, with its data. */
export function RunTrigger({ run, nameOf }: RunTriggerProps) {
  const { cause, trigger } = run;
  const values = Object.entries(sortKeys(trigger))
    // The cause has the date already.
    .filter(([, value]) => typeof value !== "object" && !("date" in cause));
  return (
    <section>
      <Title order={3} size="h5" mb="xs">Trigger</Title>
      <Stack gap="sm">
        <FieldList fields={useCause(cause, nameOf)} />
        {values.length > 0 && (
          <FieldList
            fields={values.map(([name, value]) => [name, <bdi key={name}>{String(value)}</bdi>])}
          />
        )}
        <details>
          <summary className="plain-summary">Raw trigger</summary>
          <Box mt="xs">
            <JsonView value={{ cause, trigger }} label="Raw trigger" />
          </Box>
        </details>
      </Stack>
    </section>
  );
}

/** Describes what began a run, with links. */
function useCause(cause: Run["cause"], nameOf: NameOf): Field[] {
  const { id } = useWorkspace();
  const link = (text: string, to: ReturnType<typeof linkTo>) => (
    <Anchor key={text} {...to} size="sm" className="break-anywhere">
      <bdi>{text}</bdi>
    </Anchor>
  );
  const { event, event_id, received_at, segment, on, current, date, at } = cause;
  if (typeof event === "string") {
    const to = linkTo(`/w/${id}/events`, { event: String(event_id) });
    return [
      ["Event", link(event, to)],
      ...typeof received_at === "string"
        ? [["Received", <ExactTime key="received" time={received_at} />] as Field]
        : [],
    ];
  }
  if (typeof segment === "string") {
    const label = current === true
      ? "Member when published"
      : on === "leave"
      ? "Left segment"
      : "Entered segment";
    return [[label, link(nameOf("segment", segment), linkTo(`/w/${id}/segments/${segment}`))]];
  }
  if (typeof date === "string") {
    return [["Date of", date], ["Due", <ExactTime key="due" time={String(at)} />]];
  }
  return [["Entered", "Through the API"]];
}
