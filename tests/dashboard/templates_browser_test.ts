import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import {
  type DashboardWorld,
  goTo,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

const violationsKey = "violations";

Deno.test("a template is written, checked, sent and compared by mouse and keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const customerId = await addData(world);
  const page = await world.openPage({ viewport: { width: 1440, height: 1000 } });
  await page.addInitScript(`addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
    (window.${violationsKey} ??= []).push(violatedDirective))`);
  const workspace = await signIn(page, world.info.user);
  await goTo(page, "Templates");
  await page.getByRole("link", { name: "Order" }).click();
  const body = page.getByRole("textbox", { name: "Body" });
  const mail = page.frameLocator("iframe[title='Preview of the email']");
  const completions = page.getByRole("listbox", { name: "Completions" });

  await t.step("variables, filters, tags and elements are completed by keyboard", async () => {
    // The editor is there, and not the plain field before it.
    await page.getByRole("button", { name: "Insert a block" }).waitFor();
    await body.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("<h1>Hello {{ cus");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: /^customer/ }).waitFor();
    assert.deepEqual(await findProblems(page), []);
    await page.keyboard.press("Enter");
    await page.keyboard.type(".fir");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: /^first_name/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" | upc");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: "upcase" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("{{ customer.attributes.");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: "tier" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("<table");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: "table" }).waitFor();
    await page.keyboard.press("Escape");
    await body.fill("<h1>Hello {{ customer.first_name | upcase }}</h1>");
    await mail.getByText("Hello").waitFor();
  });

  await t.step("typing continues in the editor when it replaces the plain field", async () => {
    const other = await page.context().newPage();
    const editorFile = Promise.withResolvers<void>();
    await other.route(/\/body_editor-/, async (route) => {
      await editorFile.promise;
      await route.continue();
    });
    await other.goto(page.url());
    const field = other.getByRole("textbox", { name: "Body" });
    await field.click();
    await other.keyboard.press("Control+A");
    await other.keyboard.type("<p>Hel</p>");
    for (const _ of "</p>") await other.keyboard.press("ArrowLeft");
    editorFile.resolve();
    await other.getByRole("button", { name: "Insert a block" }).waitFor();
    await other.keyboard.type("lo");
    assert.equal(await field.innerText(), "<p>Hello</p>");
    await other.close({ runBeforeUnload: false });
  });

  await t.step("Tab indents, and leaves the field after Escape", async () => {
    await body.click();
    await page.keyboard.press("Tab");
    assert.equal(await isInBody(page), true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await isInBody(page), false);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await isInBody(page), true);
  });

  await t.step("blocks and variables are inserted by mouse and keyboard", async () => {
    await body.fill("");
    await page.getByRole("button", { name: "Insert a block" }).click();
    await page.getByRole("menuitem", { name: /^Whole mail/ }).click();
    await page.keyboard.type("de");
    await mail.getByText("You get this from").waitFor();
    await page.locator('iframe[title="Preview of the email"]').waitFor();
    assert.match(await body.innerText(), /<html lang="de">/);
    await page.keyboard.press("Control+End");
    await page.getByRole("button", { name: "Insert a variable" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "customer.attributes.tier" }).focus();
    await page.keyboard.press("Enter");
    await mail.getByText("Title").waitFor();
    assert.match(await body.innerText(), /\{\{ customer\.attributes\.tier \}\}/);
    await page.locator(".cm-content:focus").waitFor();
  });

  await t.step("the preview shows a real customer and event, and what is missing", async () => {
    await body.fill(
      "<style>p { color: #111 } @media (prefers-color-scheme: dark) { p { color: #eee } }</style>" +
        "<p>Hello {{ customer.first_name }}, order {{ trigger.order }}</p>" +
        '<a href="example.com">Shop</a><img src="https://example.com/a.png">',
    );
    await mail.getByText("Hello Ada, order").waitFor();
    await withoutCustomer(page);
    await page.getByText("Choose a customer to fill in customer.first_name.").waitFor();
    await page.getByText("Empty in this preview: trigger.order").waitFor();
    await page.getByText("1 of 1 have no alt attribute").waitFor();
    await page.getByText("Not a complete address: example.com").waitFor();
    await page.getByText("Marketing cannot use it without").waitFor();
    await leadToChecks(page);
    await page.getByRole("combobox", { name: "Customer" }).fill("ada@example.com");
    await page.getByRole("option", { name: /Ada/ }).click();
    await page.getByRole("button", { name: "Use the newest event" }).click();
    await mail.getByText("Hello Ada, order A-7").waitFor();
    await page.getByText("Variables have a value").waitFor();
    assert.equal(await colorOfText(page), "rgb(17, 17, 17)");
    await page.getByRole("switch", { name: "Dark" }).check();
    await mail.locator('html[style*="dark"]').waitFor();
    assert.equal(await colorOfText(page), "rgb(238, 238, 238)");
    await page.getByText("Phone", { exact: true }).click();
    assert.match(await page.locator("iframe").getAttribute("style") ?? "", /width: 375px/);
    await page.getByText("Text only", { exact: true }).last().click();
    await page.locator(".mail-text").getByText("Hello Ada, order A-7").waitFor();
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step("the checks find misspelled names of fields and attributes", async () => {
    const written = await body.innerText();
    await body.fill("{{ customer.frist_name }} {{ customer.attributes.teir }}");
    await page.getByText(
      'Variable "customer.frist_name" is always empty: did you mean "customer.first_name"?',
    ).waitFor();
    await page.getByText(
      "No recent customer has customer.attributes.teir. Did you mean customer.attributes.tier?",
    ).waitFor();
    await body.fill("{{ customer.first_name }} {{ customer.attributes.tier }}");
    await page.getByText("No recent customer").waitFor({ state: "hidden" });
    await body.fill(written);
  });

  await t.step("MJML has its own elements, and a faulty body keeps the last preview", async () => {
    await page.getByRole("combobox", { name: "Format" }).click();
    await page.getByRole("option", { name: "MJML" }).click();
    await body.fill("");
    await body.click();
    await page.keyboard.type("<mjml><mj-bo");
    await page.keyboard.press("Control+Space");
    await completions.getByRole("option", { name: "mj-body" }).waitFor();
    await page.keyboard.press("Escape");
    await body.fill("<mjml><mj-body></mj-body></mjml>{{ now }}");
    await page.getByRole("alert").getByText("Below is the last one that could").waitFor();
    await body.fill(
      "<mjml><mj-body><mj-section><mj-column><mj-text>Order {{ trigger.order }} " +
        '<a href="{{ unsubscribe_url }}">Leave</a></mj-text></mj-column></mj-section></mj-body></mjml>',
    );
    await page.getByText("Desktop", { exact: true }).click();
    await mail.getByText("Order A-7").waitFor();
    await page.getByText("No problems").filter({ visible: true }).click();
    await page.getByText("Link to unsubscribe").waitFor();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Version 2", { exact: true }).waitFor();
  });

  await t.step("the test message has the data, and the log shows what was sent", async () => {
    await page.getByRole("button", { name: "Send test email" }).click();
    const dialog = page.getByRole("dialog", { name: "Send test email" });
    await dialog.getByText("with the sample data").waitFor();
    assert.equal(
      await dialog.getByRole("textbox", { name: "To" }).inputValue(),
      world.info.user.email,
    );
    assert.deepEqual(await findProblems(page), []);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByRole("link", { name: "See what became of it" }).click();
    await page.frameLocator("iframe[title='The email']").getByText("Order A-7").waitFor();
    await page.getByRole("main").getByText(world.info.user.email).first().waitFor();
  });

  await t.step("the customer that it was rendered for got nothing", async () => {
    await page.goto(`${workspace}/customers/${customerId}?tab=messages`);
    await page.getByText("No emails yet").waitFor();
  });

  await t.step("versions are compared and restored", async () => {
    await goTo(page, "Templates");
    await page.getByRole("link", { name: "Order" }).click();
    await page.getByRole("tab", { name: "Versions" }).click();
    const changes = page.getByRole("list", { name: "Changes of Body" });
    await changes.getByText("<p>Order {{ trigger.order }}</p>").waitFor();
    assert.equal(await changes.locator("del").count(), 1);
    assert.ok(await changes.locator("ins").count() > 0);
    assert.deepEqual(await findProblems(page), []);
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("row", { name: /^3 Sent now/ }).waitFor();
    await page.getByRole("button", { name: "Changes of version 2" }).focus();
    await page.keyboard.press("Enter");
    await changes.locator("ins").first().waitFor();
  });

  for (const format of ["HTML", "MJML", "Text only"]) {
    await t.step(
      `a new template of ${format} opens in the editor with a whole mail, which is fine`,
      async () => {
        await goTo(page, "Templates");
        await page.getByRole("button", { name: "New template" }).click();
        const dialog = page.getByRole("dialog", { name: "New template" });
        await dialog.getByLabel("Name").fill(`News in ${format}`);
        await dialog.getByRole("combobox", { name: "Format" }).click();
        await page.getByRole("option", { name: format, exact: true }).click();
        await dialog.getByRole("button", { name: "Create template" }).click();
        await page.getByRole("heading", { level: 1, name: `News in ${format}` }).waitFor();
        const shown = format === "Text only" ? page.locator(".mail-text") : mail;
        await shown.getByText("Unsubscribe").waitFor();
        assert.doesNotMatch(await body.innerText(), /#\{/);
        assert.equal(await page.getByLabel("Subject").inputValue(), `News in ${format}`);
        await page.getByText("No problems").filter({ visible: true }).waitFor();
      },
    );
  }

  await t.step("a customer who is gone leads to the preview without one", async () => {
    await goTo(page, "Templates");
    await page.getByRole("link", { name: "Order" }).waitFor();
    const path = await page.getByRole("link", { name: "Order" }).getAttribute("href");
    await page.goto(`${path}?customer_id=${crypto.randomUUID()}`);
    await page.getByRole("alert").getByText("Customer does not exist").waitFor();
    await page.getByRole("button", { name: "Preview without a customer" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await body.waitFor();
  });

  await t.step("the preference page is shown as a customer sees it", async () => {
    await page.goto(`${workspace}/topics`);
    await page.getByRole("button", { name: "Preview the preference page" }).focus();
    await page.keyboard.press("Enter");
    const shown = page.frameLocator("iframe[title='Preference page']");
    const news = shown.getByRole("checkbox", { name: "News" });
    assert.equal(await news.isChecked(), true);
    const dialog = page.getByRole("dialog", { name: "Preview of the preference page" });
    await dialog.getByRole("combobox", { name: "Customer" }).fill("ada@example.com");
    await page.getByRole("option", { name: /Ada/ }).click();
    await shown.getByRole("heading", { name: "Ihre Einstellungen" }).waitFor();
    await shown.locator('input[name="topic"]:not([checked])').waitFor();
    await dialog.getByText("Unsubscribe", { exact: true }).click();
    await shown.getByRole("heading", { name: "Abmelden" }).waitFor();
    assert.deepEqual(await findProblems(page), []);
  });

  assert.deepEqual(await page.evaluate(`window.${violationsKey} ?? []`), []);
});

/** A customer who left a topic, with an event, and a template. Returns the customer's id. */
async function addData({ info }: DashboardWorld): Promise<string> {
  const headers = { authorization: `Bearer ${info.api_key}` };
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => headers,
  });
  const response = await fetch(`${info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      events: [
        {
          type: "identify",
          external_id: "ada",
          email: "ada@example.com",
          first_name: "Ada",
          locale: "de-DE",
          attributes: { tier: "gold" },
        },
        { external_id: "ada", name: "order_created", properties: { order: "A-7" } },
      ],
    }),
  });
  const { results } = await response.json();
  const customerId = results[0].customer_id;
  await api.call("POST /templates", {
    body: { name: "Order", subject: "Your order", html: "<p>Order {{ trigger.order }}</p>" },
  });
  await api.call("POST /topics", { body: { key: "news", name: "News", default: "subscribed" } });
  await api.call("PUT /customers/{id}/topics", {
    params: { id: customerId },
    body: { topic: "news", subscribed: false },
  });
  return customerId;
}

/** Clears the customer, who is the newest one at first. */
async function withoutCustomer(page: Page): Promise<void> {
  const customer = page.getByRole("combobox", { name: "Customer" });
  await customer.click();
  // An option that is chosen again is not chosen any more.
  await page.getByRole("option", { name: /Ada/ }).click();
  await page.waitForURL(/customer_id=none/);
}

/** Follows the number of problems, which stands above the editor where the preview is below it. */
async function leadToChecks(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  const link = page.getByRole("button", { name: "4 problems" });
  assert.equal(await link.count(), 0);
  await resizeWindow(page, { width: 768, height: 1000 });
  await link.press("Enter");
  assert.match(await page.evaluate<string>("document.activeElement.textContent"), /^Checks/);
  await resizeWindow(page, size);
}

async function isInBody(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(`document.activeElement.matches(".cm-content")`);
}

/** Returns the color of the paragraph in the preview. */
async function colorOfText(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const { contentDocument, contentWindow } = document.querySelector("iframe");
    return contentWindow.getComputedStyle(contentDocument.querySelector("p")).color;
  })()`);
}
