import type { Plugin } from "vite";

const folder = (names: string) => new RegExp(`/node_modules/(${names})/`);
const components = (names: string) => new RegExp(`/@mantine/core/.*/components/(${names})/`);

/** Parts of every page. */
const firstLibraries = [
  folder("react|react-dom|scheduler|use-sync-external-store|clsx|tslib"),
  folder("@tanstack/[^/]+"),
  /\/@mantine\/core\/.*\/core\//,
  /\/use-(document-title|uncontrolled|id)\//,
  components(
    "ActionIcon|Alert|Anchor|Button|Center|CloseButton|Code|Container|Flex|Group|Input|InputBase|" +
      "Loader|Paper|Skeleton|Stack|Text|TextInput|ThemeIcon|Title|Transition|" +
      "UnstyledButton|VisuallyHidden",
  ),
];

/** Parts of the navigation. */
const shellLibraries = [components("AppShell|Avatar|Badge|Burger|Collapse|NavLink")];

/** Parts of lists: their rows are chosen, sorted, filtered and continued. */
const listParts = [
  /\/src\/ui\/(filters|list_table|load_more|no_matches|sort_header|table_parts)\.tsx/,
  components("Checkbox"),
  /\/use-intersection\/|\/(ArrowDown|ArrowUp|Filter|FilterRemove)Icon\./,
];

/** Parts of forms, which lists and figures do without. */
const formParts = [
  /\/src\/api\/use_form_draft\.ts/,
  /\/src\/ui\/(confirm_modal|delete_modal|draft_notice|form_modal|save_button)\.tsx/,
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

/** Libraries that only some pages need, each in files of its own. */
const seldom =
  /\/(zod|klona|fast-deep-equal|ipaddr\.js|highlight\.js|chart\.js|chartjs-chart-sankey|react-chartjs-2|@kurkle)\/|@mantine\/(form|dates|code)|@xyflow|dagre|d3-/;

/** Small files below them that other components import. */
const besideOverlays = /PillsInput\.context|\/ScrollArea\/utils\//;
const isOverlay = (id: string) => isIn(overlayLibraries, id) && !besideOverlays.test(id);

/** Packages whose parts have files of their own, which one file exports all. */
const ofParts = /import\s*\{([^}]*)\}\s*from\s*"(?:@primer\/octicons-react|@mantine\/hooks)"/g;
const part = /\/(?:@primer\/octicons-react|@mantine\/hooks)\/.*\/([\w-]+)\.m?js$/;
const barrel = /\/(@primer\/octicons-react|@mantine\/(core|hooks))\/(dist|esm)\/index\./;

/** Zod and its setting, in one file: schemas in others are made after the setting. */
const schemas = /\/zod\/|\/api\/without_eval\.ts/;

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

/**
 * Joins modules into few files, because every request costs a round trip. The first file holds what
 * every page needs, the second what surrounds the pages of a workspace, the third what several of
 * them share, the fourth what lists do, and the fifth what forms do.
 */
export function joinModules() {
  let early: ReadonlySet<string> = new Set();
  let first: ReadonlySet<string> = new Set();
  let shell: ReadonlySet<string> = new Set();
  let heavy: ReadonlySet<string> = new Set();
  const collect: Plugin = {
    name: "join-modules",
    buildEnd() {
      const ids = [...this.getModuleIds()];
      const graph: Graph = {
        ids,
        importsOf: (id) => this.getModuleInfo(id)?.importedIds ?? [],
        codeOf: (id) => this.getModuleInfo(id)?.code ?? "",
      };
      early = sourcesFrom(graph, ["/src/app/early/start.ts"]);
      const always = sourcesFrom(graph, ["/src/main.tsx"]);
      first = completed(graph, [...always, ...select(ids, firstLibraries)]);
      const around = sourcesFrom(graph, ["/src/app/workspace_root.tsx"]);
      shell = completed(graph, [...around, ...select(ids, shellLibraries)]);
      heavy = importersOf(graph, seldom);
    },
    generateBundle(_, bundle) {
      const files = Object.values(bundle).filter((file) => file.type === "chunk");
      const imports = files.find(({ name }) => name === "first")?.imports ?? [];
      const later = imports.filter((file) => !/\/(rolldown-runtime|early)-/.test(file));
      if (later.length > 0) this.error(`Cannot run the first file: it imports "${later}"`);
    },
  };
  const isShared = (id: string) =>
    !/components\/Textarea\//.test(id) && !seldom.test(id) && !heavy.has(id) && !barrel.test(id);
  const groups = [
    { name: "early", test: (id: string) => early.has(id), priority: 5 },
    { name: "schemas", test: schemas, priority: 4 },
    { name: "first", test: (id: string) => first.has(id), priority: 3 },
    { name: "shell", test: (id: string) => shell.has(id), priority: 2 },
    { name: "shared", test: isShared, minShareCount: 12, priority: 1 },
    { name: "lists", test: (id: string) => isIn(listParts, id), priority: 2 },
    { name: "forms", test: (id: string) => isIn(formParts, id), priority: 2 },
    {
      name: "journeys",
      test: (id: string) => journeyParts.test(id) && !heavy.has(id),
      minShareCount: 4,
    },
    { name: "overlays", test: isOverlay, priority: 3 },
    { name: "icons", test: icons, minShareCount: 8 },
  ];
  return { collect, groups };
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

/** Adds the icons, the hooks and the inner files of libraries that modules need. */
function completed(graph: Graph, start: readonly string[]): Set<string> {
  const names = start.flatMap((id) => namesOfParts(graph.codeOf(id)));
  const wanted = new Set(names);
  const parts = graph.ids.filter((id) => wanted.has(part.exec(id)?.[1] ?? ""));
  return follow(
    [...start, ...parts],
    (id) => isLibrary(id) ? graph.importsOf(id).filter((next) => !barrel.test(next)) : [],
  );
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

/** Returns our own modules that import a library, directly or not. */
function importersOf({ ids, importsOf }: Graph, library: RegExp): Set<string> {
  const importers = new Map<string, string[]>();
  for (const id of ids.filter((each) => !isLibrary(each))) {
    for (const next of importsOf(id)) importers.set(next, [...importers.get(next) ?? [], id]);
  }
  const starts = [...importers.keys()].filter((id) => library.test(id));
  return follow(starts, (id) => importers.get(id) ?? []);
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
