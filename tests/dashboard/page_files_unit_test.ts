import assert from "node:assert/strict";
import { listPageRoutes } from "../../dashboard/page_files.ts";
import { matchPage } from "../../dashboard/src/app/early/match_page.ts";

const pages = new URL("../../dashboard/src/pages/", import.meta.url);

Deno.test("the files of every page are listed", async () => {
  const routes = listPageRoutes();
  let count = 0;
  for await (const { name } of Deno.readDir(pages)) {
    const text = await Deno.readTextFile(new URL(`${name}/mod.ts`, pages));
    count += text.split("lazyRouteComponent(").length - 1;
  }
  assert.equal(routes.length, count);
  assert.equal(new Set(routes.map(({ pattern }) => pattern)).size, count);
  for (const { modules } of routes) await Promise.all(modules.map((path) => Deno.stat(path)));
});

Deno.test("a path leads to its page, and a word before an id", () => {
  const entries = listPageRoutes().map(({ pattern }) => [pattern, pattern] as const);
  const find = (path: string) => matchPage(path, entries)?.value;
  assert.equal(find("/w/1"), "/w/$workspaceId/");
  assert.equal(find("/w/1/segments/new"), "/w/$workspaceId/segments/new");
  assert.equal(find("/w/1/segments/2"), "/w/$workspaceId/segments/$segmentId");
  assert.equal(find("/w/1/nonsense"), undefined);
  assert.deepEqual(matchPage("/w/1/customers/2/", entries)?.params, ["1", "2"]);
});
