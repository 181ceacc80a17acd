import { Button, FileInput, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { maxNamedCustomers } from "../../../../supabase/functions/api/contract/segments.ts";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Segment } from "../../api/types.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import type { DialogProps } from "../../ui/form_modal.tsx";
import { divideMembers, type NamedMembers, readMembers } from "./read_members.ts";
import { Modal } from "../../ui/overlays.tsx";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

type Change = ApiResponse<"PUT /segments/{id}/customers">;

/** Adds the customers of a CSV file to a static segment. */
export function ImportMembersModal(
  { segment, isOpen, close }: DialogProps & { segment: Segment },
) {
  const [members, setMembers] = useState<NamedMembers>();
  const [error, setError] = useState<Error | null>(null);
  const add = useAddMembers(segment.id);
  const choose = async (file: File | null) => {
    setMembers(undefined);
    setError(null);
    try {
      if (file) setMembers(readMembers(await file.text()));
    } catch (error) {
      setError(error as Error);
    }
  };
  const count = members ? Object.values(members).flat().length : 0;
  return (
    <Modal opened={isOpen} onClose={close} title="Import members">
      <Stack>
        <FileInput
          label="CSV file"
          description="Its first line names a column: id, external_id or email."
          placeholder="Choose a file"
          accept=".csv,text/csv"
          onChange={(file) => void choose(file)}
          disabled={add.isSuccess}
          data-autofocus
        />
        {members && !add.isSuccess && (
          <Text size="sm">The file names {countOf(count, "customer")}.</Text>
        )}
        {(error ?? add.error) && <ErrorState error={(error ?? add.error)!} />}
        {add.data && <Result changes={add.data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{add.isSuccess ? "Done" : "Cancel"}</Button>
          {!add.isSuccess && (
            <Button
              disabled={count === 0}
              loading={add.isPending}
              onClick={() => members && add.mutate(members)}
            >
              {count === 0 ? "Add customers" : `Add ${countOf(count, "customer")}`}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function useAddMembers(segmentId: string) {
  const api = useApi();
  const { id } = useWorkspace();
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: async (members: NamedMembers) => {
      const changes: Change[] = [];
      for (const body of divideMembers(members, maxNamedCustomers)) {
        changes.push(
          await api.call("PUT /segments/{id}/customers", { params: { id: segmentId }, body }),
        );
      }
      return changes;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [id] }),
  });
}

const shownUnknown = 10;

function Result({ changes }: { changes: Change[] }) {
  const add = (count: (change: Change) => number) =>
    changes.reduce((sum, change) => sum + count(change), 0);
  const unknown = changes.flatMap(({ unknown }) => Object.values(unknown).flat());
  return (
    <div role="status">
      <Text size="sm">
        {countOf(add(({ changed }) => changed), "customer")} added,{" "}
        {countOf(add(({ unchanged }) => unchanged), "customer")} already in the segment.
      </Text>
      {unknown.length > 0 && (
        <>
          <Text size="sm" mt="xs">{countOf(unknown.length, "entry", "entries")} unknown:</Text>
          <ul className="plain-list">
            {unknown.slice(0, shownUnknown).map((value) => (
              <li key={value} className="break-anywhere">{value}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
