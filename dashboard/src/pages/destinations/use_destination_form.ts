import { newDestination } from "../../api/schemas.ts";
import type { Destination } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";

const DEFAULT_CONCURRENCY = 10;

/** The fields of a destination: of this one, or of one to be created. */
export function useDestinationForm(destination?: Destination) {
  return useApiForm({
    schema: newDestination,
    initialValues: {
      name: destination?.name ?? "",
      url: destination?.url ?? "",
      event_types: destination?.event_types ?? ["*"],
      description: destination?.description ?? "",
      rate_limit_per_second: (destination?.rate_limit_per_second ?? "") as number | "",
      max_concurrency: (destination?.max_concurrency ?? DEFAULT_CONCURRENCY) as number | "",
    },
    toBody: (values) => ({
      name: values.name,
      url: values.url.trim(),
      event_types: values.event_types,
      description: textOrNull(values.description),
      rate_limit_per_second: values.rate_limit_per_second || null,
      max_concurrency: values.max_concurrency || DEFAULT_CONCURRENCY,
    }),
  });
}

export type DestinationForm = ReturnType<typeof useDestinationForm>["form"];
