/** Letter of a variant: A, B and so on. */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}
