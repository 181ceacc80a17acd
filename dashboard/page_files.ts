import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const sources = fileURLToPath(new URL("src", import.meta.url));

/** A route of a page that has files of its own. */
interface PageRoute {
  /** Path of the router: `/w/$workspaceId/customers`. */
  pattern: string;
  /** Modules that load with it: what surrounds it, and its own. */
  modules: string[];
}

/** Places of the routes of each kind, and what surrounds their pages. */
const kinds: Readonly<Record<string, { base: string; around: readonly string[] }>> = {
  workspacePage: { base: "/w/$workspaceId", around: ["app/workspace_root.tsx"] },
  settingsPage: {
    base: "/w/$workspaceId/settings",
    around: ["app/workspace_root.tsx", "app/settings_layout.tsx"],
  },
  accountRoute: { base: "", around: ["app/account_root.tsx"] },
  authRoute: { base: "", around: [] },
};

/** A route as the `mod.ts` of its pages writes it. */
const route =
  /(?:(workspacePage|settingsPage)\(|=> (accountRoute|authRoute),\s*path: )\s*"([^"]*)"(?:(?!path: )[^])*?import\("\.\/(\w+\.tsx)"\)/g;

/** Lists the routes of all pages. Those with fixed paths come first. */
export function listPageRoutes(): PageRoute[] {
  const folders = readdirSync(join(sources, "pages"));
  return folders.flatMap((folder) => {
    const text = readFileSync(join(sources, "pages", folder, "mod.ts"), "utf8");
    return [...text.matchAll(route)].map(([, maker, parent, path = "", file = ""]) => {
      const { base, around } = kinds[maker ?? parent ?? ""]!;
      const modules = [...around.map((each) => join(sources, each))];
      return { pattern: base + path, modules: [...modules, join(sources, "pages", folder, file)] };
    });
  }).toSorted((a, b) => variables(a.pattern) - variables(b.pattern));
}

const variables = (pattern: string) => pattern.split("$").length;

interface BuiltFile {
  type: string;
  fileName: string;
}

interface Chunk extends BuiltFile {
  name: string;
  facadeModuleId: string | null;
  moduleIds: string[];
  imports: string[];
  viteMetadata?: { importedCss: Set<string> };
}

type Bundle = Readonly<Record<string, BuiltFile>>;

/**
 * Writes into the document which files each page needs, and starts the script that requests them:
 * `src/early`. They load beside the first script then, and not after it has run.
 */
export function pageFiles(): Plugin {
  return {
    name: "page-files",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const early = chunksOf(bundle).find(({ name }) => name === "early");
        if (!early) throw new Error('Cannot start the files of a page early: no chunk "early"');
        const list = JSON.stringify(listFiles(bundle));
        const tags = `    <script type="application/json" id="page-files">${list}</script>
    <script type="module" crossorigin async src="/${early.fileName}"></script>\n`;
        return html.replace("  </head>", () => `${tags}  </head>`);
      },
    },
  };
}

function chunksOf(bundle: Bundle): Chunk[] {
  return Object.values(bundle).filter((file): file is Chunk => file.type === "chunk");
}

/** Lists the files of every page besides those of the document. */
function listFiles(bundle: Bundle) {
  const chunks = chunksOf(bundle);
  const chunkOf = (module: string) => {
    const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.split("?")[0] === module) ??
      chunks.find(({ moduleIds }) => moduleIds.includes(module));
    if (!found) throw new Error(`Cannot list the files of "${module}": it has no chunk`);
    return found;
  };
  const ofDocument = withImports(bundle, [chunkOf(join(sources, "../index.html"))]);
  const places = new Map<string, number>();
  const placeOf = (file: string) =>
    places.get(file) ?? (places.set(file, places.size), places.size - 1);
  const placesOf = (modules: readonly string[]) =>
    withImports(bundle, modules.map(chunkOf))
      .filter((file) => !ofDocument.includes(file))
      .map((file) => placeOf(file.replace("assets/", "")));
  const pages = listPageRoutes().map(({ pattern, modules }) => [pattern, placesOf(modules)]);
  if ([...places.keys()].some((file) => file.startsWith("overlays-"))) {
    throw new Error("A page would wait for what opens over it: import that from ui/overlays.tsx");
  }
  const renewal = placesOf([join(sources, "api/auth_client.ts")]);
  return { files: [...places.keys()], pages, renewal };
}

/** Returns the files of chunks and of all that they import, with their styles. */
function withImports(bundle: Bundle, starts: readonly Chunk[]): string[] {
  const found = new Set<Chunk>();
  const waiting = [...starts];
  for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
    if (found.has(chunk)) continue;
    found.add(chunk);
    waiting.push(...chunk.imports.map((file) => bundle[file] as Chunk).filter(Boolean));
  }
  return [...found].flatMap(({ fileName, viteMetadata }) => [
    ...viteMetadata?.importedCss ?? [],
    fileName,
  ]);
}
