import assert from "node:assert/strict";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

Deno.test("a mail server is set up by its encryption, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const dialog = page.getByRole("dialog", { name: "New sender" });
  const encryption = dialog.getByRole("combobox", { name: "Encryption" });
  const port = dialog.getByRole("textbox", { name: "Port" });

  for (const [n, hands] of [makeMouse(page), makeKeyboard(page)].entries()) {
    await t.step(`the usual port follows the encryption, with the ${hands.name}`, async () => {
      await page.goto(`${workspace}/senders`);
      await hands.press(page.getByRole("button", { name: "New sender" }).first());
      await hands.type(dialog.getByRole("textbox", { name: "Name" }), `Server ${n}`);
      await hands.type(dialog.getByRole("textbox", { name: "From" }), "Acme <hello@acme.example>");
      await hands.choose(dialog.getByRole("combobox", { name: "Provider" }), "SMTP");
      assert.equal(await encryption.inputValue(), "TLS (port 465)");
      assert.equal(await port.inputValue(), "465");
      await hands.choose(encryption, "STARTTLS (port 587)");
      assert.equal(await port.inputValue(), "587");
      // All of the form is in sight, with its buttons.
      const hidden = await dialog.evaluate((part) => {
        const { scrollHeight, clientHeight } = part as unknown as Sized;
        return scrollHeight - clientHeight;
      });
      assert.ok(hidden <= 0, `${hidden} px are out of sight`);
      await checkLooks(page);
      await hands.type(dialog.getByRole("textbox", { name: "Host" }), "mail.example.com");
      await hands.press(dialog.getByRole("button", { name: "Create sender" }));
      await dialog.waitFor({ state: "detached" });
      const { data } = await api.call("GET /senders", {});
      const config = data.find(({ name }) => name === `Server ${n}`)?.config;
      assert.deepEqual([config?.secure, config?.port], [false, 587]);
      await page.locator("dl").getByText("STARTTLS", { exact: true }).waitFor();
    });
  }

  await t.step("on a low screen the buttons stay in sight, and hide no focused field", async () => {
    await resizeWindow(page, { width: 390, height: 500 });
    await page.goto(`${workspace}/senders`);
    await page.getByRole("button", { name: "New sender" }).first().click();
    const boxOf = async (name: string, role: "button" | "textbox") =>
      (await dialog.getByRole(role, { name, exact: true }).boundingBox())!;
    await dialog.getByRole("textbox", { name: "Name" }).waitFor();
    const create = await boxOf("Create sender", "button");
    assert.ok(create.y + create.height <= 500, `it ends at ${create.y + create.height} px`);
    await dialog.getByRole("textbox", { name: "Reply to" }).focus();
    const field = await boxOf("Reply to", "textbox");
    assert.ok(field.y + field.height <= create.y, `the field ends at ${field.y + field.height} px`);
    await resizeWindow(page, { width: 1440, height: 900 });
  });

  await t.step("every required field that is empty is reported by its label", async () => {
    await page.goto(`${workspace}/senders`);
    await page.getByRole("button", { name: "New sender" }).first().click();
    const create = dialog.getByRole("button", { name: "Create sender" });
    const hands = makeMouse(page);
    const labels = { SMTP: ["Host", "Port"], Postmark: ["Server token"], Resend: ["API key"] };
    for (const [provider, own] of Object.entries(labels)) {
      await hands.choose(dialog.getByRole("combobox", { name: "Provider" }), provider);
      if (provider === "SMTP") await port.fill("");
      await create.click();
      for (const label of ["Name", "From", ...own]) {
        await dialog.getByText(`${label} is required`, { exact: true }).waitFor();
      }
      await checkLooks(page);
    }
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("another port stays", async () => {
    await page.goto(`${workspace}/senders`);
    const hands = makeMouse(page);
    await hands.press(page.getByRole("button", { name: "New sender" }).first());
    await hands.choose(dialog.getByRole("combobox", { name: "Provider" }), "SMTP");
    await hands.type(port, "2525");
    await hands.choose(encryption, "STARTTLS (port 587)");
    assert.equal(await port.inputValue(), "2525");
  });
});

/** The part of the browser's types that the test uses. */
interface Sized {
  scrollHeight: number;
  clientHeight: number;
}
