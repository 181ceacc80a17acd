import { Anchor } from "@mantine/core";
import { type Definition, listReferences } from "../../../api/journey_definition.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { type Field, FieldList } from "../../../ui/field_list.tsx";
import { linkTo } from "../../../ui/link_to.ts";
import {
  findNamed,
  listPaths,
  type Named,
  type NamedKind,
  type NamedLists,
} from "../model/name_of.ts";

const labels: Readonly<Record<NamedKind, string>> = {
  template: "Templates",
  sender: "Senders",
  topic: "Topics",
  segment: "Segments",
  destination: "Destinations",
  journey: "Journeys",
};

interface UsesProps {
  definition: Definition;
  lists: NamedLists;
}

/** Links to everything that a definition refers to, by name. Unknown names are problems of it. */
export function Uses({ definition, lists }: UsesProps) {
  const references = listReferences(definition);
  const fields = Object.entries(labels).flatMap(([name, label]): Field[] => {
    const kind = name as NamedKind;
    const named = references.filter((reference) => reference.kind === kind)
      .map((reference) => findNamed(lists[kind], reference.name))
      .filter((found) => found !== undefined);
    const used = [...new Set(named)];
    return used.length > 0 ? [[label, <Links key={kind} kind={kind} used={used} />]] : [];
  });
  if (fields.length === 0) return null;
  return (
    <section aria-label="What it uses">
      <FieldList fields={fields} />
    </section>
  );
}

function Links({ kind, used }: { kind: NamedKind; used: readonly Named[] }) {
  const { id: workspaceId } = useWorkspace();
  const list = `/w/${workspaceId}${listPaths[kind]}`;
  return used.map(({ id, name }, n) => (
    <span key={id}>
      {n > 0 && ", "}
      <Anchor {...linkTo(kind === "topic" ? list : `${list}/${id}`)} inherit>
        <bdi>{name}</bdi>
      </Anchor>
    </span>
  ));
}
