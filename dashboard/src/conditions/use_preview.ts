import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "@mantine/hooks";
import type { ApiClient } from "../api/api_client.ts";
import type { Condition } from "../api/condition_rules.ts";
import type { Customer, TrackedEvent } from "../api/types.ts";
import { useApi } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";

const delayMs = 400;
const exampleCount = 10;

/** Rows that a condition is about. */
export type Subject = "customers" | "events";

/** Number of rows that fulfil a condition, and some of them. */
export interface PreviewData {
  count: number;
  isExact: boolean;
  customers: Customer[];
  events: TrackedEvent[];
}

/** Counts what fulfils a condition, shortly after its last change. An older count is cancelled. */
export function usePreview(
  condition: Condition | undefined,
  { subject, event = "" }: { subject: Subject; event?: string | undefined },
) {
  const api = useApi();
  const { id } = useWorkspace();
  const text = condition === undefined ? undefined : JSON.stringify(condition);
  const [settled] = useDebouncedValue(text, delayMs);
  const isReady = settled !== undefined && settled === text;
  const preview = useQuery<PreviewData>({
    queryKey: [id, "preview", subject, event, settled],
    queryFn: ({ signal }) => readPreview(api, { subject, event, text: settled ?? "", signal }),
    enabled: isReady,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
  });
  const isOld = text !== undefined && (!isReady || preview.isPlaceholderData);
  return { ...preview, isOld, error: isReady ? preview.error : null };
}

interface PreviewRequest {
  subject: Subject;
  /** Name of the counted events; empty for any. */
  event: string;
  /** The condition as JSON. */
  text: string;
  signal: AbortSignal;
}

async function readPreview(
  api: ApiClient,
  { subject, event, text, signal }: PreviewRequest,
): Promise<PreviewData> {
  if (subject === "events") {
    const query = { filter: text, limit: exampleCount, ...event ? { name: event } : {} };
    const page = await api.call("GET /events", { query, signal });
    const { count = 0, is_exact: isExact = true } = page;
    return { count, isExact, customers: [], events: page.data };
  }
  const body = { condition: JSON.parse(text) as Condition };
  const found = await api.call("POST /segments/preview", { body, signal });
  return { count: found.count, isExact: found.is_exact, customers: found.examples, events: [] };
}
