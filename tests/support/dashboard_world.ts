import type { BrowserContextOptions, Page } from "playwright-core";
import type { StackInfo } from "../../local/stack.ts";
import { type BrowserPage, openBrowser } from "./browser.ts";
import { createEmptyDatabase } from "./database.ts";
import { startTestStack } from "./stack.ts";

export const PASSWORD = "correct horse battery";
const PATIENCE_MS = 15_000;

/** The whole service with its dashboard, and a browser to look at it. */
export interface DashboardWorld {
  info: StackInfo;
  /** A page with a storage of its own, as another person has. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openDashboardWorld(): Promise<DashboardWorld> {
  await using cleanup = new AsyncDisposableStack();
  const db = cleanup.use(await createEmptyDatabase());
  const stack = cleanup.use(await startTestStack({ args: ["--database-url", db.url] }));
  const browser: BrowserPage = cleanup.use(await openBrowser());
  const kept = cleanup.move();
  return {
    info: stack.info,
    openPage: (options) => openPage(browser, { baseURL: stack.info.base_url, ...options }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function openPage({ page }: BrowserPage, options: BrowserContextOptions): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error("Cannot open a page: the browser is gone");
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return await context.newPage();
}

/** Signs up as a person does; returns the path of the workspace that they land in. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.goto("/sign-up");
  await fillCredentials(page, { email, password: PASSWORD });
  await page.getByRole("button", { name: "Sign up" }).click();
  return await landInWorkspace(page);
}

/** Signs in as a person does; returns the path of the workspace that they land in. */
export async function signIn(
  page: Page,
  credentials: { email: string; password: string },
): Promise<string> {
  await page.goto("/sign-in");
  await fillCredentials(page, credentials);
  await page.getByRole("button", { name: "Sign in" }).click();
  return await landInWorkspace(page);
}

async function fillCredentials(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
}

async function landInWorkspace(page: Page): Promise<string> {
  await page.waitForURL(/\/w\/[0-9a-f-]+/);
  return new URL(page.url()).pathname.split("/").slice(0, 3).join("/");
}

/** Goes to another page by the navigation, as a person does. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}
