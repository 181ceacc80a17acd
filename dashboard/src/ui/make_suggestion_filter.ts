import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from "@mantine/core";

/**
 * Filters suggestions by what is typed. A text that is the only suggestion left has none, so its list
 * closes; one that is known and was not typed shows all, so that another one can be chosen.
 */
export function makeSuggestionFilter(filter: OptionsFilter, isTyped: boolean): OptionsFilter {
  return (input) => {
    const { options, search } = input;
    if (!isTyped && flatten(options).some(({ label }) => label === search)) {
      return filter({ ...input, search: "" });
    }
    const found = filter(input);
    const [first, ...others] = flatten(found);
    return first?.label === search && others.length === 0 ? [] : found;
  };
}

function flatten(options: ComboboxParsedItem[]): ComboboxItem[] {
  return options.flatMap((option) => "group" in option ? option.items : [option]);
}
