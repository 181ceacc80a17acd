import { Title } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { ErrorState } from "../../../ui/error_state.tsx";
import { TableSkeleton } from "../../../ui/skeletons.tsx";
import type { NamedLists, NameOf } from "../model/name_of.ts";
import { resolveNames } from "../model/resolve_names.ts";
import { DefinitionChanges } from "../versions/definition_changes.tsx";

interface ChangesSinceProps {
  journey: Journey;
  lists: NamedLists;
  nameOf: NameOf;
}

/** The difference between the draft and the published version; empty before the first one. */
export function ChangesSince({ journey, lists, nameOf }: ChangesSinceProps) {
  const { id, version, definition } = journey;
  const versions = useApiList("GET /journeys/{id}/versions", { params: { id } });
  if (version === null) return null;
  const current = listRows(versions).find((row) => row.version === version);
  return (
    <section aria-label={`Changes since version ${version}`}>
      <Title order={3} size="h6" mb="xs">Changes since version {version}</Title>
      {versions.isError && <ErrorState error={versions.error} retry={versions.refetch} />}
      {versions.isPending && <TableSkeleton columns={1} />}
      {current && (
        <DefinitionChanges
          before={current.definition as Definition}
          after={resolveNames(definition as Definition, lists)}
          nameOf={nameOf}
          empty={`Nothing has changed since version ${version}.`}
        />
      )}
    </section>
  );
}
