interface Templates {
  has_variants: boolean;
  template: string;
  variants: readonly { template: string }[];
}

/** Finds fields of a campaign's form in which a template is missing, with what to do. */
export function templateErrors(values: Templates): Record<string, string> {
  const { has_variants, template, variants } = values;
  if (!has_variants) {
    return template === "" ? { template: "Choose a template, or compare several" } : {};
  }
  return Object.fromEntries(
    variants.flatMap((variant, index) =>
      variant.template === "" ? [[`variants.${index}.template`, "Choose a template"]] : []
    ),
  );
}
