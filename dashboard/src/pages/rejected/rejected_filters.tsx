import type { ApiInput } from "../../api/api_client.ts";
import { Filters, SuggestInput } from "../../ui/filters.tsx";
import { isId } from "../../format/is_id.ts";
import { Select } from "../../ui/overlays.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { codeLabels, originLabels, statusFilters, statusLabels } from "./labels.ts";

type Query = NonNullable<ApiInput<"GET /rejected-entries">["query"]>;

/** The list that the page's address asks for, and whether that is a part of all entries. */
export function useRejectedQuery() {
  const { filters } = useFilters();
  const status = findKey(statusLabels, filters.status);
  const query = {
    code: findKey(codeLabels, filters.code),
    field: filters.field,
    origin: findKey(originLabels, filters.origin),
    source_id: isId(filters.source_id ?? "") ? filters.source_id : undefined,
    reason: filters.reason,
    ...status !== undefined && statusFilters[status],
  } satisfies Query;
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return { query, status, isFiltered };
}

/** The key of `labels` that an address names; undefined for any other text. */
function findKey<Key extends string>(
  labels: Record<Key, string>,
  text: string | undefined,
): Key | undefined {
  return text !== undefined && Object.hasOwn(labels, text) ? text as Key : undefined;
}

function optionsOf(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/**
 * The filters of the list.
 *
 * @param fields wrong fields to suggest
 */
export function RejectedFilters({ fields }: { fields: string[] }) {
  const { setFilters } = useFilters();
  const { query: { code, field, origin }, status } = useRejectedQuery();
  return (
    <Filters>
      <Select
        aria-label="Reason"
        placeholder="Any reason"
        data={optionsOf(codeLabels)}
        value={code ?? null}
        onChange={(value: string | null) =>
          setFilters({ code: value ?? undefined, reason: undefined })}
        clearable
      />
      <SuggestInput
        aria-label="Wrong field"
        placeholder="Any field"
        value={field}
        onChange={(value) => setFilters({ field: value, reason: undefined })}
        data={fields}
      />
      <Select
        aria-label="Channel"
        placeholder="Any channel"
        data={optionsOf(originLabels)}
        value={origin ?? null}
        onChange={(value: string | null) =>
          setFilters({ origin: value ?? undefined, source_id: undefined })}
        clearable
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={optionsOf(statusLabels)}
        value={status ?? null}
        onChange={(value: string | null) => setFilters({ status: value ?? undefined })}
        clearable
      />
    </Filters>
  );
}
