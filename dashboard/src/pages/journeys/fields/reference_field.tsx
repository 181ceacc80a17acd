import { Anchor } from "@mantine/core";
import { useWorkspace } from "../../../api/workspace.ts";
import { linkTo } from "../../../ui/link_to.ts";
import type { FieldProps } from "../../../ui/field_props.ts";
import { useEditor } from "../editor/use_editor.ts";
import { findNamed, listPaths, type NamedKind } from "../model/name_of.ts";
import { Select } from "../../../ui/overlays.tsx";

/** The value is an id or a key. */
interface ReferenceFieldProps extends FieldProps {
  kind: NamedKind;
}

/** Chooses another resource of the workspace. A draft names it by its key if it has one. */
export function ReferenceField(
  { kind, value, onChange, isRequired, description, ...props }: ReferenceFieldProps,
) {
  const { id: workspaceId } = useWorkspace();
  const list = useEditor().lists[kind];
  const chosen = findNamed(list, value);
  const options = list.map(({ id, key, name }) => ({ value: key || id, label: name }));
  const current = chosen ? chosen.key || chosen.id : value;
  const isUnknown = current && !options.some((option) => option.value === current);
  return (
    <Select
      {...props}
      description={list.length === 0 && isRequired
        ? (
          <Anchor {...linkTo(`/w/${workspaceId}${listPaths[kind]}`)} inherit>
            Create a {kind} first
          </Anchor>
        )
        : description}
      withAsterisk={isRequired}
      data={isUnknown ? [...options, { value: current, label: current }] : options}
      value={current || null}
      onChange={(next) => onChange(next ?? undefined)}
      nothingFoundMessage={`No ${kind} found`}
      searchable
      clearable={!isRequired}
    />
  );
}
