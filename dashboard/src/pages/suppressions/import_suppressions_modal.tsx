import { FileInput, Text } from "@mantine/core";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import type { ApiResponse } from "../../api/api_client.ts";
import { countOf } from "../../format/numbers.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";

/** Suppresses the addresses of a CSV file. */
export function ImportSuppressionsModal(dialog: DialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [csv, setCsv] = useState("");
  const load = useApiAction("POST /suppressions/import", () => ({ body: { csv } }));
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setCsv(chosen ? await chosen.text() : "");
  };
  return (
    <FormModal
      {...dialog}
      title="Import suppressions"
      submitLabel="Import"
      onSubmit={() => load.mutate()}
      isPending={load.isPending}
      isIncomplete={csv === ""}
      error={load.error}
      result={load.data && <Result imported={load.data} />}
    >
      <FileInput
        label="CSV file"
        description="At most 10,000 lines. The first line names the columns: email, and optionally reason (manual, hard_bounce or complaint)."
        placeholder="Choose a file"
        accept=".csv,text/csv"
        value={file}
        onChange={(chosen) => void choose(chosen)}
        data-autofocus
      />
    </FormModal>
  );
}

function Result({ imported }: { imported: ApiResponse<"POST /suppressions/import"> }) {
  const { added, unchanged, rejected, rejected_count } = imported;
  return (
    <div role="status">
      <Text size="sm">
        {countOf(added, "address", "addresses")} added, {unchanged} already there.
      </Text>
      {rejected_count > 0 && (
        <>
          <Text size="sm" mt="xs">{countOf(rejected_count, "line")} skipped:</Text>
          <ul className="plain-list">
            {rejected.map(({ line, message }) => (
              <li key={line} className="break-anywhere">
                <Text size="sm">Line {line}: {message}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
