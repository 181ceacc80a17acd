import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createDashboard } from "../../dashboard/serve.ts";
import { pageStyle } from "../../supabase/functions/_shared/links/render_page.ts";
import { openBrowser } from "../../testing/browser/browser.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { createLinksWorld, isSubscribed, type LinksWorld } from "../../testing/data/links.ts";

const directory = fileURLToPath(new URL("../../dashboard/public", import.meta.url));

/** Serves the static page with the headers of the dashboard, and the function at its address. */
function serveSite(world: LinksWorld) {
  const dashboard = createDashboard({
    config: { supabase_url: "/", publishable_key: "" },
    directory,
  });
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/functions/v1/")) return await dashboard.fetch(request);
    const { method, headers } = request;
    const body = method === "POST" ? await request.text() : null;
    const url = `http://127.0.0.1${pathname.replace("/functions/v1", "")}`;
    return await world.open(url, { method, headers, body });
  });
}

/** Returns a style sheet without comments and spaces, to compare it. */
function squeeze(css: string): string {
  return css.replace(/\/\*.*?\*\//gs, "").replace(/\s+/g, "").replace(/;}/g, "}");
}

Deno.test("the static page looks like the pages of the function", () => {
  const css = readFileSync(`${directory}/preferences.css`, "utf8");
  // It is empty until the function has answered.
  const own = "main:empty{display:none}";
  assert.ok(squeeze(css).includes(own));
  assert.equal(squeeze(css).replace(own, ""), squeeze(pageStyle));
});

Deno.test("the static page shows the pages of the function, posts what is chosen, and runs no text as HTML", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend();
  const hostile = "<img src=x onerror=alert(1)>";
  await world.db.sql`
    update public.topics set description = ${hostile} where key = 'news'`;
  const server = serveSite(world);
  await using _ = server;
  await using browser = await openBrowser();
  const { page, errors } = browser;
  await resizeWindow(page, { width: 360, height: 640 });
  const site = `http://127.0.0.1:${server.addr.port}/preferences.html`;
  const tokenOf = (url: string) => url.split("/").slice(-2).join("/");
  await page.goto(`${site}#${tokenOf(links.unsubscribeUrl)}`);
  await page.getByRole("heading", { name: "Unsubscribe" }).waitFor();
  assert.equal(await isSubscribed(world, "offers"), true);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await page.getByText("You are unsubscribed.").waitFor();
  assert.equal(await isSubscribed(world, "offers"), false);

  await page.getByRole("link", { name: "Your preferences" }).click();
  await page.getByLabel(/^News/).check();
  assert.equal(await page.getByLabel("Offers").isChecked(), false);
  assert.equal(await page.getByText(hostile).count(), 1);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your choice is saved.").waitFor();
  assert.deepEqual([await isSubscribed(world, "news"), await isSubscribed(world, "offers")], [
    true,
    false,
  ]);
  await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
  await page.locator("input:checked").first().waitFor({ state: "detached" });
  assert.equal(await isSubscribed(world, "news"), false);

  await page.goto(`${site}#u/forged`);
  await page.getByText("This link no longer works").waitFor();
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  assert.ok(width <= 360, `${width}`);
  assert.deepEqual(errors, []);
});
