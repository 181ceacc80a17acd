import { outboundLimits } from "../../../../supabase/functions/api/contract/limits.ts";
import type { Destination } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { storedHeader, toHeaders } from "./header_rows.ts";

const { defaultConcurrency } = outboundLimits;

/** The form of a destination, or of a new one. */
export function useDestinationForm(destination?: Destination) {
  return useApiForm({
    draft: `destination:${destination?.id ?? "new"}`,
    schema: "newDestination",
    resource: destination,
    readAs: { headers: "header_names" },
    secrets: ["header_values"],
    initialValues: {
      name: destination?.name ?? "",
      url: destination?.url ?? "",
      event_types: destination?.event_types ?? ["*"],
      filter: (destination?.filter ?? null) as unknown,
      headers: (destination?.header_names ?? []).map(storedHeader),
      header_values: (destination?.header_names ?? []).map(() => ""),
      description: destination?.description ?? "",
      rate_limit_per_second: (destination?.rate_limit_per_second ?? "") as number | "",
      max_concurrency: (destination?.max_concurrency ?? defaultConcurrency) as number | "",
    },
    toBody: (values) => ({
      name: values.name,
      url: values.url.trim(),
      event_types: values.event_types,
      filter: values.filter,
      headers: toHeaders(values),
      description: textOrNull(values.description),
      rate_limit_per_second: values.rate_limit_per_second || null,
      max_concurrency: values.max_concurrency || defaultConcurrency,
    }),
  });
}

export type DestinationForm = ReturnType<typeof useDestinationForm>["form"];
