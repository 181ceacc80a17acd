/** The end of a message about a text that must not be empty, and is. */
const empty = /: it has 0$/;

/** Returns the message of the api; for an empty field, that it is required. */
export function sayRequired(message: string): string {
  return empty.test(message) ? "is required" : message;
}
