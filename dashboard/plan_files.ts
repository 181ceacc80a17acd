/** A module of the build, and what decides about its file. */
export interface PlannedModule {
  id: string;
  /** Estimate of its compressed bytes. */
  bytes: number;
  /** True for a style sheet: those of a file are in a file beside it. */
  isStyle: boolean;
  /** Pages that load it before they show their content. */
  pages: ReadonlySet<string>;
  /** Modules that load with it. */
  imports: readonly string[];
  /** File that it has in any case: nothing else joins that. */
  fixedFile?: string | undefined;
}

interface PlannedFile {
  modules: PlannedModule[];
  bytes: number;
  hasStyles: boolean;
  pages: ReadonlySet<string>;
  isFixed: boolean;
}

/**
 * Bytes that a file costs besides its own: the head of its response, the rest of its last packet, and
 * the work for a request.
 */
const fileCost = 1500;

/**
 * Returns the file of each module that several pages load, under the name of its largest module.
 * Modules of the same pages share a file. Two files become one where that saves bytes over all pages,
 * although some of them load a part that they do not need.
 *
 * A file never brings another one that its page does without, so files do not import each other in
 * circles.
 */
export function planFiles(modules: readonly PlannedModule[]): Map<string, string> {
  const files = joinFiles(groupByPages(modules.filter(({ pages }) => pages.size > 1)));
  const named = Map.groupBy(files.filter(({ isFixed }) => !isFixed), nameOf);
  return new Map(
    [...named].flatMap(([name, files]) =>
      files.flatMap((file, index) =>
        file.modules.map(({ id }) => [id, index === 0 ? name : `${name}_${index + 1}`] as const)
      )
    ),
  );
}

function groupByPages(modules: readonly PlannedModule[]): PlannedFile[] {
  const keyOf = ({ pages, fixedFile }: PlannedModule) =>
    fixedFile ?? [...pages].toSorted().join("\n");
  return [...Map.groupBy(modules, keyOf).values()].map((group) => ({
    modules: group,
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
    hasStyles: group.some(({ isStyle }) => isStyle),
    pages: group.reduce((all, { pages }) => all.union(pages), new Set<string>()),
    isFixed: group[0]!.fixedFile !== undefined,
  }));
}

function joinFiles(start: readonly PlannedFile[]): PlannedFile[] {
  let files = [...start];
  for (let pair = findBestPair(files); pair !== null; pair = findBestPair(files)) {
    const { a, b } = pair;
    const joined = join(a, b);
    files = [...files.filter((file) => file !== a && file !== b), joined];
  }
  return files;
}

/** Returns the two files that save the most bytes as one, or null. */
function findBestPair(files: readonly PlannedFile[]): { a: PlannedFile; b: PlannedFile } | null {
  const needed = listNeeded(files);
  let best: { a: PlannedFile; b: PlannedFile; saved: number } | null = null;
  for (const [index, a] of files.entries()) {
    for (const b of files.slice(index + 1)) {
      if (a.isFixed || b.isFixed) continue;
      const saved = savedBytes(a, b);
      if (saved <= (best?.saved ?? 0)) continue;
      const pages = a.pages.union(b.pages);
      const others = [...needed.get(a)!, ...needed.get(b)!].filter((file) =>
        file !== a && file !== b
      );
      if (others.every((file) => pages.isSubsetOf(file.pages))) best = { a, b, saved };
    }
  }
  return best;
}

/** Returns the files that each file imports. */
function listNeeded(files: readonly PlannedFile[]): Map<PlannedFile, PlannedFile[]> {
  const fileOf = new Map(
    files.flatMap((file) => file.modules.map(({ id }) => [id, file] as const)),
  );
  return new Map(files.map((file) => {
    const imports = file.modules.flatMap(({ imports }) => imports);
    return [file, [
      ...new Set(imports.map((id) => fileOf.get(id)).filter((each) => each !== undefined)),
    ]];
  }));
}

/** Returns the bytes that all pages load less; for the same pages at least one, so they always join. */
function savedBytes(a: PlannedFile, b: PlannedFile): number {
  const joined = join(a, b);
  const saved = loadedBytes(a) + loadedBytes(b) - loadedBytes(joined);
  const isSame = a.pages.size === joined.pages.size && b.pages.size === joined.pages.size;
  return isSame ? Math.max(saved, 1) : saved;
}

function join(a: PlannedFile, b: PlannedFile): PlannedFile {
  return {
    modules: [...a.modules, ...b.modules],
    bytes: a.bytes + b.bytes,
    hasStyles: a.hasStyles || b.hasStyles,
    pages: a.pages.union(b.pages),
    isFixed: false,
  };
}

/** Returns the bytes that all pages load of a file. */
function loadedBytes({ bytes, hasStyles, pages }: PlannedFile): number {
  return pages.size * (bytes + fileCost * (hasStyles ? 2 : 1));
}

function nameOf({ modules }: PlannedFile): string {
  const [largest] = modules.toSorted((a, b) => b.bytes - a.bytes);
  return largest!.id.split(/[?#]/)[0]!.split("/").at(-1)!.replace(/\.\w+$/, "");
}
