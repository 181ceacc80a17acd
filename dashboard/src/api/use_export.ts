import { useEffect, useRef, useState } from "react";
import type { ApiInput, ApiResponse, RouteName } from "./api_client.ts";
import { useApi } from "./use_api.ts";

/** Routes that stream a list. */
export type ExportRoute = {
  [Name in RouteName]: ApiResponse<Name> extends Response ? Name : never;
}[RouteName];

/** State of a download. */
interface Download {
  /** Bytes so far; undefined while nothing is downloaded. */
  bytes: number | undefined;
  error: Error | null;
}

const idle: Download = { bytes: undefined, error: null };

/** Downloads an export to a file. Leaving the page cancels it. */
export function useExport() {
  const api = useApi();
  const [download, setDownload] = useState(idle);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async <Name extends ExportRoute>(route: Name, input: ApiInput<Name>) => {
    const controller = new AbortController();
    running.current = controller;
    setDownload({ bytes: 0, error: null });
    try {
      const call = { ...input, signal: controller.signal } as ApiInput<Name>;
      const response = await api.call(route, call) as Response;
      const note = (bytes: number) => setDownload({ bytes, error: null });
      saveFile(await readBlob(response, note), nameOf(response));
      setDownload(idle);
    } catch (error) {
      setDownload({ bytes: undefined, error: controller.signal.aborted ? null : error as Error });
    }
  };
  return { ...download, start, cancel: () => running.current?.abort() };
}

const noteMs = 200;

/** Reads a response whole. The browser keeps a large blob on disk. */
async function readBlob(response: Response, note: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, notedAt] = [0, 0];
  for await (const part of response.body ?? []) {
    parts.push(part as Uint8Array<ArrayBuffer>);
    bytes += part.byteLength;
    if (Date.now() - notedAt < noteMs) continue;
    notedAt = Date.now();
    note(bytes);
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

function nameOf(response: Response): string {
  const header = response.headers.get("content-disposition") ?? "";
  return /filename="([^"]+)"/.exec(header)?.[1] ?? "export";
}

function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
