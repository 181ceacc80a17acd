import { Button } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { useEffect } from "react";
import type { ApiInput } from "../api/api_client.ts";
import { type ExportRoute, useExport } from "../api/use_export.ts";
import { formatBytes } from "../format/numbers.ts";
import { showError } from "./show_error.ts";
import { Menu } from "./overlays.tsx";

interface ExportMenuProps<Name extends ExportRoute> {
  route: Name;
  /** The filters of the list. */
  input: ApiInput<Name>;
  /** @default "Export" */
  label?: string;
}

const formats = [
  { format: "csv", label: "CSV" },
  { format: "ndjson", label: "NDJSON" },
];

/** Downloads a list as it is filtered, in any number of rows. */
export function ExportMenu<Name extends ExportRoute>(
  { route, input, label = "Export" }: ExportMenuProps<Name>,
) {
  const { bytes, error, start, cancel } = useExport();
  useEffect(() => {
    if (error) showError(error);
  }, [error]);
  if (bytes !== undefined) {
    return (
      <Button variant="default" onClick={cancel}>
        Cancel export ({formatBytes(bytes)})
      </Button>
    );
  }
  const save = (format: string) => {
    const query = { ...(input as { query?: object }).query, format };
    void start(route, { ...input, query } as unknown as ApiInput<Name>);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<DownloadIcon />}>{label}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, label }) => (
          <Menu.Item key={format} onClick={() => save(format)}>{label}</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
