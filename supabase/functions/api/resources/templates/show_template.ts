/** Returns a template or version as the api shows it. */
export function showTemplate<Row extends { is_text_generated: boolean }>(
  { is_text_generated: _, ...shown }: Row,
): Omit<Row, "is_text_generated"> {
  return shown;
}
