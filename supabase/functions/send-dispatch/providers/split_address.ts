/** Splits `Acme <hello@acme.example>` into address and name. */
export function splitAddress(text: string): { email: string; name?: string } {
  const [, name, email] = /^\s*(?:"?([^"<]*?)"?\s*)?<([^<>]+)>\s*$/.exec(text) ?? [];
  if (email === undefined) return { email: text.trim() };
  return name ? { email, name } : { email };
}
