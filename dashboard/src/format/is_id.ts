const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether a text is the id of something of ours, which says nothing to a person. */
export function isId(text: string): boolean {
  return form.test(text);
}
