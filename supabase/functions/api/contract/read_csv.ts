/**
 * Reads CSV (RFC 4180) into rows of fields; `line` is the line on which a row begins, counted from
 * 1.
 */
export function readCsv(text: string): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = [];
  const source = text.replace(/^\uFEFF/, "");
  let [line, start] = [1, 1];
  let fields: string[] = [];
  let isFresh = true;
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*)|([^\r\n]*))(,|\r\n|\n|\r|$)/gy;
  while (pattern.lastIndex < source.length || !isFresh) {
    // With a quote in the middle of a field, the rest of the line is that field, as sent.
    const [all, quoted, plain, rest, end] = pattern.exec(source)!;
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? rest!);
    line += all.split(/\r\n|\n|\r/).length - 1;
    isFresh = end !== ",";
    if (isFresh) {
      if (fields.length > 1 || fields[0]?.trim() !== "") rows.push({ line: start, fields });
      [fields, start] = [[], line];
    }
    if (end === "") break;
  }
  return rows;
}
