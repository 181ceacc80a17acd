import assert from "node:assert/strict";
import { planFiles, type PlannedModule } from "../../dashboard/plan_files.ts";
import { createRandom } from "../segments/segment_world.ts";

Deno.test("modules of the same pages share a file, named after the largest", () => {
  const plan = planFiles([
    part("ui/list.tsx", { bytes: 3000, pages: "ab" }),
    part("ui/row.tsx", { bytes: 500, pages: "ab" }),
    part("ui/chart.tsx", { bytes: 9000, pages: "cd" }),
    part("pages/a.tsx", { bytes: 100, pages: "a" }),
  ]);
  assert.deepEqual(Object.fromEntries(plan), {
    "ui/list.tsx": "list",
    "ui/row.tsx": "list",
    "ui/chart.tsx": "chart",
  });
});

Deno.test("a small part joins a file that nearly the same pages load", () => {
  const plan = planFiles([
    part("ui/list.tsx", { bytes: 3000, pages: "abcde" }),
    part("ui/limits.ts", { bytes: 80, pages: "abcd" }),
  ]);
  assert.equal(plan.get("ui/limits.ts"), "list");
});

Deno.test("a part with styles stays apart where it would bring two files", () => {
  const plan = planFiles([
    part("ui/state.ts", { bytes: 1000, pages: "abc" }),
    part("ui/timeline.tsx", { bytes: 1000, pages: "cd", imports: ["ui/timeline.css"] }),
    part("ui/timeline.css", { bytes: 900, pages: "cd" }),
  ]);
  assert.equal(plan.get("ui/timeline.css"), "timeline");
  assert.equal(plan.get("ui/state.ts"), "state");
});

Deno.test("a module with a file of its own keeps it", () => {
  const plan = planFiles([
    part("ui/form.tsx", { bytes: 100, pages: "ab", imports: ["zod"] }),
    { ...part("zod", { bytes: 9000, pages: "ab" }), fixedFile: "schemas" },
  ]);
  assert.deepEqual([...plan.keys()], ["ui/form.tsx"]);
});

Deno.test("a file that joins another brings nothing that its pages do without", () => {
  const plan = planFiles([
    part("ui/tags.tsx", { bytes: 100, pages: "abcde" }),
    part("ui/form.tsx", { bytes: 100, pages: "abcd", imports: ["zod"] }),
    { ...part("zod", { bytes: 9000, pages: "abcd" }), fixedFile: "schemas" },
  ]);
  assert.notEqual(plan.get("ui/tags.tsx"), plan.get("ui/form.tsx"));
});

Deno.test("in random graphs, pages load only their files, which import each other in one direction", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { modules, pages } = makeGraph(seed);
    const plan = planFiles(modules);
    const importsOf = importsOfFiles(modules, plan);
    for (const page of pages) {
      const needed = modules.filter((each) => each.pages.has(page));
      const files = new Set(needed.flatMap(({ id }) => plan.get(id) ?? []));
      for (const file of files) {
        const brought = [...importsOf.get(file) ?? []].filter((other) => !files.has(other));
        assert.deepEqual(brought, [], `seed ${seed}: ${file} brings them to page ${page}`);
      }
    }
    assert.equal(findCircle(importsOf), null, `seed ${seed}`);
  }
});

function part(
  id: string,
  { bytes, pages, imports = [] }: { bytes: number; pages: string; imports?: string[] },
): PlannedModule {
  return { id, bytes, isStyle: id.endsWith(".css"), pages: new Set(pages), imports };
}

/** Makes modules that import later ones, and the pages that load them. */
function makeGraph(seed: number): { modules: PlannedModule[]; pages: string[] } {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const names = Array.from({ length: 40 }, (_, index) => `${index}/m${index % 30}.ts`);
  const imports = names.map((_, index) => names.slice(index + 1).filter(() => random() < 0.06));
  const pages = Array.from({ length: 8 }, (_, index) => `page-${index}`);
  const loaded = new Map(names.map((name) => [name, new Set<string>()]));
  const load = (name: string, page: string) => {
    if (loaded.get(name)!.has(page)) return;
    loaded.get(name)!.add(page);
    for (const next of imports[names.indexOf(name)]!) load(next, page);
  };
  for (const page of pages) {
    for (let count = 0; count < 6; count++) load(names[below(names.length)]!, page);
  }
  const modules = names.map((id, index) => ({
    id,
    bytes: 50 + below(4000),
    isStyle: false,
    pages: loaded.get(id)!,
    imports: imports[index]!,
  }));
  return { modules, pages };
}

function importsOfFiles(
  modules: readonly PlannedModule[],
  plan: ReadonlyMap<string, string>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, imports } of modules) {
    const file = plan.get(id);
    if (file === undefined) continue;
    const others = imports.flatMap((next) => plan.get(next) ?? []).filter((each) => each !== file);
    found.set(file, (found.get(file) ?? new Set()).union(new Set(others)));
  }
  return found;
}

/** Returns files that import each other in a circle, or null. */
function findCircle(importsOf: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path, file];
    if (done.has(file)) return null;
    for (const next of importsOf.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of importsOf.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return null;
}
