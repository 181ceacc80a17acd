import { emptyHmac, type HmacValues, readHmac, valuesOf } from "./hmac_settings.ts";
import type { KnownSender } from "./known_senders.ts";
import type { Source } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";

interface SourceValues {
  name: string;
  scheme: Source["scheme"];
  hmac: HmacValues;
  topic_arn: string;
  preset: string | null;
  mapping: string;
  secret: string;
  description: string;
}

const emptyValues: SourceValues = {
  name: "",
  scheme: "standard-webhooks",
  hmac: emptyHmac,
  topic_arn: "",
  preset: null,
  mapping: "",
  secret: "",
  description: "",
};

export function useNewSourceForm({ key, label, scheme, preset, hmac, isGeneric }: KnownSender) {
  return useApiForm({
    draft: `source:new:${key}`,
    secrets: ["secret"],
    schema: "newSource",
    initialValues: { ...emptyValues, name: isGeneric ? "" : label, scheme, preset, hmac },
    toBody: (values) => ({
      ...editedFields(values),
      scheme: values.scheme,
      ...values.secret.trim() && values.scheme !== "sns" ? { secret: values.secret.trim() } : {},
    }),
  });
}

export function useSourceForm(source: Source) {
  return useApiForm({
    draft: `source:${source.id}`,
    secrets: ["secret"],
    schema: "sourceEdit",
    resource: source,
    initialValues: {
      ...emptyValues,
      name: source.name,
      scheme: source.scheme,
      hmac: valuesOf(source.hmac ?? {}),
      topic_arn: source.topic_arn ?? "",
      preset: source.preset as string | null,
      mapping: source.mapping ? JSON.stringify(source.mapping, null, 2) : "",
      description: source.description ?? "",
    },
    toBody: editedFields,
  });
}

export type SourceForm = ReturnType<typeof useNewSourceForm>["form"];

function editedFields(values: SourceValues) {
  const { name, scheme, hmac, topic_arn, preset, mapping, description } = values;
  return {
    name,
    ...scheme === "hmac" ? { hmac: readHmac(hmac) } : {},
    ...scheme === "sns" ? { topic_arn } : {},
    preset,
    mapping: readMapping(mapping),
    description: textOrNull(description),
  };
}

/** Parses the mapping. Invalid JSON stays text, which the api's schema refuses. */
function readMapping(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
