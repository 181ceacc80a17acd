import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
const texts = /\.(css|html|js|svg)$/;
/** The first file and the small files get the best quality, which takes ten times as long. */
const first = /\/first-[^/]*$/;
const smallBytes = 200_000;
const bestQuality = 11;
const usualQuality = 9;

/** Writes each text file of a folder a second time, compressed by Brotli, as `<name>.br`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names.filter((name) => texts.test(name)).map(async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      const isWanted = first.test(name) || bytes.length < smallBytes;
      const quality = isWanted ? bestQuality : usualQuality;
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      await writeFile(`${path}.br`, await compress(bytes, { params }));
    }),
  );
}
