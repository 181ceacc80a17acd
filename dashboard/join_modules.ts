import { statSync } from "node:fs";
import type { Plugin } from "vite";
import { listPageRoutes } from "./page_files.ts";
import { planFiles, type PlannedModule } from "./plan_files.ts";

const folder = (names: string) => new RegExp(`/node_modules/(${names})/`);
const components = (names: string) => new RegExp(`/@mantine/core/.*/components/(${names})/`);

/** Parts of every page. */
const firstLibraries = [
  folder("react|react-dom|scheduler|use-sync-external-store|clsx|tslib"),
  folder("@tanstack/[^/]+|@mantine/store"),
  /\/@mantine\/core\/.*\/core\//,
  /\/use-(document-title|uncontrolled|id)\//,
  /\/notifications\.store\.|\/react-remove-scroll-bar\/.*\/constants\./,
  components(
    "ActionIcon|Alert|Anchor|Button|Center|CloseButton|Code|Container|Flex|Group|Input|InputBase|" +
      "Loader|Paper|Skeleton|Stack|Text|TextInput|ThemeIcon|Title|Transition|" +
      "UnstyledButton|VisuallyHidden",
  ),
];

/** Parts of journeys, which their page shares with the editor and with other late parts. */
const journeyParts = /\/src\/pages\/journeys\//;

/** Parts that open over the page. */
const overlayLibraries = [
  folder("@floating-ui/[^/]+|react-number-format"),
  components(
    "Autocomplete|Combobox|Drawer|FocusTrap|Menu|Modal|ModalBase|MultiSelect|NumberInput|Overlay|PillsInput|" +
      "Popover|Portal|ScrollArea|Select|TagsInput|Tooltip",
  ),
];

/** Small files below them that other components import. */
const besideOverlays = /PillsInput\.context|\/ScrollArea\/utils\//;
const isOverlay = (id: string) => isIn(overlayLibraries, id) && !besideOverlays.test(id);

/** Packages whose parts have files of their own, which one file exports all. */
const ofParts =
  /import\s*\{([^}]*)\}\s*from\s*"(?:@primer\/octicons-react|@mantine\/(?:core|hooks))"/g;
const part =
  /\/(?:@primer\/octicons-react|@mantine\/hooks|@mantine\/core\/.*\/components)\/.*\/([\w-]+)\.m?js$/;
const barrel = /\/(@primer\/octicons-react|@mantine\/(core|hooks))\/(dist|esm)\/index\./;

/** Libraries of which a page needs nearly everything that they import. */
const whole = /\/(zod|klona|fast-deep-equal|@mantine\/form)\//;

/** Zod and its setting, in one file: schemas in others are made after the setting. */
const schemas = /\/zod\/|\/api\/without_eval\.ts/;

const isStyle = (id: string) => id.endsWith(".css");
const icons = /\/@primer\/octicons-react\/.*Icon\./;

const isLibrary = (path: string) => path.includes("/node_modules/");
const isIn = (patterns: readonly RegExp[], id: string) => patterns.some((each) => each.test(id));
const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The modules of a build. */
interface Graph {
  ids: readonly string[];
  importsOf: (id: string) => readonly string[];
  codeOf: (id: string) => string;
}

/** Compressed bytes per character of a module. */
const compression = 0.15;

/**
 * Joins modules into few files, because every request costs a round trip and whole packets. The
 * first file holds what every page needs. `planFiles` decides on what several pages share.
 */
export function joinModules() {
  let early: ReadonlySet<string> = new Set();
  let first: ReadonlySet<string> = new Set();
  let plan: ReadonlyMap<string, string> = new Map();
  const isInDocument = (id: string) => early.has(id) || first.has(id);
  const collect: Plugin = {
    name: "join-modules",
    buildEnd() {
      const graph: Graph = {
        ids: [...this.getModuleIds()],
        importsOf: (id) => this.getModuleInfo(id)?.importedIds ?? [],
        codeOf: (id) => this.getModuleInfo(id)?.code ?? "",
      };
      early = sourcesFrom(graph, ["/src/app/early/start.ts"]);
      const always = sourcesFrom(graph, ["/src/main.tsx"]);
      const needsOf = listNeeds(graph);
      first = follow([...always, ...select(graph.ids, firstLibraries)], needsOf);
      plan = planFiles(listShared(graph, { needsOf, isInDocument }));
    },
    generateBundle(_, bundle) {
      const files = Object.values(bundle).filter((file) => file.type === "chunk");
      const imports = files.find(({ name }) => name === "first")?.imports ?? [];
      const later = imports.filter((file) => !/\/(rolldown-runtime|early)-/.test(file));
      if (later.length > 0) this.error(`Cannot run the first file: it imports "${later}"`);
    },
  };
  const groups = [
    { name: "early", test: (id: string) => early.has(id), priority: 5 },
    { name: "schemas", test: schemas, priority: 4 },
    { name: "first", test: (id: string) => first.has(id), priority: 3 },
    { name: "overlays", test: isOverlay, priority: 3 },
    { name: (id: string) => plan.get(id) ?? null, debugName: "planned", priority: 2 },
    { name: "journeys", test: journeyParts, minShareCount: 4, priority: 1 },
    { name: "icons", test: icons, minShareCount: 8, priority: 1 },
  ];
  return { collect, groups };
}

interface Rules {
  /** Modules that one needs at once. */
  needsOf: (id: string) => readonly string[];
  isInDocument: (id: string) => boolean;
}

/** Lists the modules that pages load besides those of the document. */
function listShared(graph: Graph, { needsOf, isInDocument }: Rules): PlannedModule[] {
  const pagesOf = new Map<string, Set<string>>();
  for (const { pattern, modules } of listPageRoutes()) {
    const starts = graph.ids.filter((id) => modules.includes(id.split("?")[0]!));
    for (const id of follow(starts, needsOf)) {
      pagesOf.set(id, (pagesOf.get(id) ?? new Set()).add(pattern));
    }
  }
  return [...pagesOf].filter(([id]) => !isInDocument(id)).map(([id, pages]) => ({
    id,
    pages,
    bytes: (isStyle(id) ? statSync(id).size : graph.codeOf(id).length) * compression,
    isStyle: isStyle(id),
    imports: needsOf(id),
    fixedFile: schemas.test(id) ? "schemas" : isOverlay(id) ? "overlays" : undefined,
  }));
}

/** Returns a function for the modules that one needs at once: of a library's barrel, only its parts. */
function listNeeds({ ids, importsOf, codeOf }: Graph): (id: string) => string[] {
  const partsOf = Map.groupBy(ids.filter((id) => part.test(id)), (id) => part.exec(id)![1]!);
  const found = new Map<string, string[]>();
  return (id) => {
    const known = found.get(id);
    if (known) return known;
    const parts = namesOfParts(codeOf(id)).flatMap((name) => partsOf.get(name) ?? []);
    const isFollowed = (next: string) =>
      !barrel.test(next) && (isLibrary(id) || !isLibrary(next) || whole.test(next));
    const needs = [...importsOf(id).filter(isFollowed), ...parts];
    found.set(id, needs);
    return needs;
  };
}

function select(ids: readonly string[], patterns: readonly RegExp[]): string[] {
  return ids.filter((id) => isIn(patterns, id));
}

/** Returns our own modules that these need at once, themselves included. */
function sourcesFrom({ ids, importsOf }: Graph, ends: readonly string[]): Set<string> {
  const starts = ids.filter((id) => ends.some((end) => id.split("?")[0]!.endsWith(end)));
  // Libraries import all of themselves, and lose most of it later.
  return follow(starts, (id) => importsOf(id).filter((next) => !isLibrary(next)));
}

/** Returns the names of the files of the parts that a module imports. */
function namesOfParts(code: string): string[] {
  return [...code.matchAll(ofParts)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().split(/\s/)[0]!).flatMap((name) => [
      name,
      toKebab(name),
    ])
  );
}

function follow(starts: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...starts];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...next(id));
  }
  return found;
}
