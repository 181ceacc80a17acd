import { Anchor, Radio, Stack, Table } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, ListedRun, PublishPreview } from "../../../api/types.ts";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { countOf, formatCount } from "../../../format/numbers.ts";
import { linkTo } from "../../../ui/link_to.ts";
import type { NameOf } from "../model/name_of.ts";
import { StepName } from "./step_name.tsx";

/** Customers of a step that are named; a link leads to the others. */
const namedCount = 3;
/** Runs that are read to name customers. */
const readCount = 100;

interface InsideProps {
  journey: Journey;
  preview: PublishPreview;
  nameOf: NameOf;
  inside: "stay" | "move";
  setInside: (inside: "stay" | "move") => void;
}

/** Runs inside, and the choice of what becomes of them. */
export function Inside({ journey, preview, nameOf, inside, setInside }: InsideProps) {
  const params = { id: journey.id };
  const versions = listRows(useApiList("GET /journeys/{id}/versions", { params }));
  const runs = listRows(
    useApiList("GET /journeys/{id}/runs", { params, query: { state: "active", limit: readCount } }),
  );
  const draft = journey.definition as Definition;
  return (
    <>
      <Radio.Group
        label={`${countOf(preview.active_runs, "run")} inside`}
        value={inside}
        onChange={(value) => setInside(value === "move" ? "move" : "stay")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="stay" label="Stay in the version in which they began" />
          <Radio value="move" label="Move to the new version" />
        </Stack>
      </Radio.Group>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-label="Runs inside" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Step</Table.Th>
              <Table.Th scope="col">Version</Table.Th>
              <Table.Th scope="col">Customers</Table.Th>
              {inside === "move" && <Table.Th scope="col">Continue at</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.steps.map((row) => {
              const { version, step, moves_to } = row;
              const old = versions.find((each) => each.version === version)?.definition;
              return (
                <Table.Tr key={`${version} ${step}`}>
                  <Table.Td>
                    <StepName part={step} definition={old as Definition} nameOf={nameOf} />
                  </Table.Td>
                  <Table.Td>{version}</Table.Td>
                  <Table.Td>
                    <Customers journey={journey} row={row} runs={runs} />
                  </Table.Td>
                  {inside === "move" && (
                    <Table.Td>
                      {moves_to === null
                        ? "They leave"
                        : <StepName part={moves_to} definition={draft} nameOf={nameOf} />}
                    </Table.Td>
                  )}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

interface CustomersProps {
  journey: Journey;
  row: PublishPreview["steps"][number];
  runs: readonly ListedRun[];
}

/** The customers at a step by name, and how many others there are. */
function Customers({ journey, row: { version, step, waiting }, runs }: CustomersProps) {
  const { id } = useWorkspace();
  const here = runs.filter((run) => run.version === version && run.step === step)
    .slice(0, namedCount);
  const others = waiting - here.length;
  const live = { tab: "live", version: `${version}`, step };
  return (
    <Stack gap={2} className="break-anywhere">
      {here.map((run) => (
        <Anchor key={run.id} {...linkTo(`/w/${id}/customers/${run.customer_id}`)} size="sm">
          <bdi>{run.customer_name ?? run.customer_id}</bdi>
        </Anchor>
      ))}
      {others > 0 && (
        <Anchor {...linkTo(`/w/${id}/journeys/${journey.id}`, live)} size="sm">
          {here.length > 0 ? `and ${formatCount(others)} more` : countOf(others, "customer")}
        </Anchor>
      )}
    </Stack>
  );
}
