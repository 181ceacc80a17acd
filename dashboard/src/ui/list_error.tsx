import { Button } from "@mantine/core";
import { ApiCallError } from "../api/api_client.ts";
import { useClearFilters, useFilterCount } from "../url/use_filters.ts";
import { ErrorState } from "./error_state.tsx";

interface ListErrorProps {
  error: Error;
  retry: () => unknown;
}

/** The error of a list. A filter that the api refuses stays refused, so it can only be cleared. */
export function ListError({ error, retry }: ListErrorProps) {
  const clear = useClearFilters();
  const isRefused = error instanceof ApiCallError && error.status === 400;
  if (useFilterCount() === 0 || !isRefused) return <ErrorState error={error} retry={retry} />;
  return (
    <ErrorState
      error={error}
      remedy={<Button size="xs" color="red" onClick={clear}>Clear filters</Button>}
    />
  );
}
