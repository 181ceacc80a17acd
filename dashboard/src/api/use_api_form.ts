import { useForm } from "@mantine/form";
import type { SubmitEvent } from "react";
import { type BodyOf, loadedSchema, loadSchemas, type SchemaName } from "./load_schemas.ts";
import { ApiCallError, isConflict } from "./api_client.ts";
import { sayRequired } from "./say_required.ts";
import { nameField } from "./name_field.ts";
import { isSame } from "./is_same.ts";
import { type Fields, type FormDraft, useFormDraft } from "./use_form_draft.ts";

interface ApiFormOptions<Values, Schema extends SchemaName> {
  /** Name of the api's own schema of the request. */
  schema: Schema;
  initialValues: Values;
  /** Turns the fields into the request. It is sent only if the schema accepts it. */
  toBody: (values: Values) => unknown;
  /** Finds what the schema cannot, or says it in words of the form: sentences by field. */
  check?: (values: Values) => Record<string, string>;
  /** Names the form's draft in the workspace, such as `topic:new`. */
  draft: string;
  /** Paths of fields that the browser must not store, such as `config.password`. */
  secrets?: readonly string[];
  /**
   * The resource that the form changes, as the api returned it. Only changed fields are sent, and
   * changes of others are kept.
   */
  resource?: object | undefined;
  /**
   * Fields of the resource that change with those of the request, where their names differ.
   * @default the fields of the same name
   */
  readAs?: Readonly<Record<string, string>>;
}

interface ApiFormAction<Body> {
  mutateAsync: (body: Body) => Promise<unknown>;
}

/**
 * A form that the api's schema checks before sending, and the api's response afterwards. The tab
 * keeps what is typed until the api has it.
 */
export function useApiForm<Values extends object, Schema extends SchemaName>(
  options: ApiFormOptions<Values, Schema>,
) {
  const { schema, initialValues, toBody, check, draft: name, secrets = [], resource } = options;
  const { readAs = {} } = options;
  const expectedOf = (state: object | undefined, body: object) => {
    const fields = Object.keys(body).map((field) => readAs[field] ?? field);
    return state && pickFields(state as Fields, fields);
  };
  const form = useForm<Values>({
    initialValues,
    onValuesChange: () => void loadSchemas(),
    validate: (values) => {
      const { error } = loadedSchema(schema)?.safeParse(toBody(values)) ?? {};
      const found = collectErrors(
        error?.issues.map(({ path, message }) => [
          path.join("."),
          isEmpty(values, path) ? "is required" : message,
        ]),
      );
      return { ...found, ...check?.(values) };
    },
  });
  const saved = {
    values: initialValues,
    expected: expectedOf(resource, toBody(initialValues) as object),
  };
  const draft: FormDraft<Values> = useFormDraft(form, { name, secrets, saved });
  /** Returns what was changed, and the values that it was changed from. */
  const toChanges = (values: Values) => {
    const { values: before, expected } = draft.base();
    const body = toBody(values) as Fields;
    if (expected === undefined) return body;
    const changes = listChanges(body, toBody(before) as Fields);
    return { ...changes, expected: expectedOf(expected, changes) };
  };
  const submitTo = (action: ApiFormAction<BodyOf<Schema>>) => {
    const submit = form.onSubmit((values) => {
      draft.hold();
      const body = toChanges(values);
      action.mutateAsync(body as BodyOf<Schema>).then(
        (changed) => draft.settle(expectedOf(changed as object | undefined, body) ?? {}),
        (error: Error) => {
          draft.release(error);
          const errors = collectErrors(detailsOf(error));
          form.setErrors(errors);
          focusFirst(Object.keys(errors).map(form.getInputNode));
        },
      );
    }, (errors) => focusFirst(Object.keys(errors).map(form.getInputNode)));
    return (event?: SubmitEvent<HTMLFormElement>) => {
      event?.preventDefault();
      if (loadedSchema(schema)) submit();
      else void loadSchemas().then(() => submit());
    };
  };
  /** Returns the error unless the form's fields already show all of it. */
  const generalError = (error: Error | null): Error | null => {
    // The question about the changes of others stands above the form.
    if (isConflict(error) && draft.conflict) return null;
    const details = error === null ? [] : detailsOf(error);
    const isShown = details.length > 0 && details.every(([path]) => topField(path) in form.values);
    return isShown ? null : error;
  };
  return { form, submitTo, generalError, draft };
}

/** Returns whether a path is that of a text field in which nothing stands. */
function isEmpty(values: object, path: readonly PropertyKey[]): boolean {
  return path.length === 1 && (values as Record<PropertyKey, unknown>)[path[0]!] === "";
}

type FieldError = readonly [path: string, message: string];

function detailsOf(error: Error): FieldError[] {
  const details = error instanceof ApiCallError ? error.body.details ?? [] : [];
  return details.map(({ field, message }) => [field, message]);
}

/** Shows an error inside a field, such as `event_types.0`, at the field as well. */
function collectErrors(found: readonly FieldError[] = []): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [path, message] of found) {
    const sentence = `${nameField(topField(path))} ${sayRequired(message)}`;
    errors[path] ??= sentence;
    errors[topField(path)] ??= sentence;
  }
  return errors;
}

function topField(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

/** Moves the focus to the field that comes first on the page. */
function focusFirst(fields: readonly (HTMLElement | null)[]): void {
  const [first] = fields.filter((field) => field !== null).sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  );
  first?.focus();
}

/** Returns the fields of a request that differ from those of an earlier one. */
function listChanges(body: Fields, before: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => !isSame(value, before[field])),
  );
}

/** Returns those of the fields that the resource has. */
function pickFields(resource: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.filter((field) => field in resource).map((field) => [field, resource[field]]),
  );
}

/** Returns the trimmed text, or null for an empty field. */
export function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
