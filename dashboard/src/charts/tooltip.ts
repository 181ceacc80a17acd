/** Colours of the tooltip of a chart, as the page has them now. */
export function describeTooltip() {
  const text = readVariable("--mantine-color-text");
  return {
    backgroundColor: readVariable("--mantine-color-body"),
    borderColor: readVariable("--mantine-color-default-border"),
    borderWidth: 1,
    titleColor: text,
    bodyColor: text,
    padding: 10,
  };
}

/** Returns a variable of the page's style: a canvas does not follow style sheets. */
export function readVariable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
