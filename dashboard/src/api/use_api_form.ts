import { useForm } from "@mantine/form";
import type { z } from "zod";
import { ApiCallError } from "./api_client.ts";

interface ApiFormOptions<Values, Schema extends z.ZodType> {
  /** The very one that the api checks the request with. */
  schema: Schema;
  initialValues: Values;
  /** The request that the fields amount to; no request unless the schema takes it. */
  toBody: (values: Values) => unknown;
}

interface ApiFormAction<Body> {
  mutate: (body: Body, options: { onError: (error: Error) => void }) => void;
}

/** A form whose fields hold what the api will accept, before it is asked and after. */
export function useApiForm<Values extends object, Schema extends z.ZodType>(
  { schema, initialValues, toBody }: ApiFormOptions<Values, Schema>,
) {
  const form = useForm<Values>({
    initialValues,
    validate: (values) => {
      const { error } = schema.safeParse(toBody(values));
      return collectErrors(error?.issues.map(({ path, message }) => [path.join("."), message]));
    },
  });
  const submitTo = (action: ApiFormAction<z.input<Schema>>) =>
    form.onSubmit((values) =>
      action.mutate(toBody(values) as z.input<Schema>, {
        onError: (error) => {
          if (!(error instanceof ApiCallError)) return;
          const details = (error.body.details ?? []).map(({ field, message }) =>
            [field, message] as const
          );
          form.setErrors(collectErrors(details));
        },
      })
    );
  return { form, submitTo };
}

/** Errors of what is inside a field, such as `event_types.0`, belong to the field as well. */
function collectErrors(found: (readonly [string, string])[] = []): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [path, message] of found) {
    const field = path.split(/[.[]/)[0] ?? path;
    errors[path] ??= message;
    errors[field] ??= message;
  }
  return errors;
}

/** An empty field says that there is no value. */
export function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
