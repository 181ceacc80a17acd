import type { BrowserContextOptions, Page } from "playwright-core";
import type { StackInfo } from "../../local/stack.ts";
import { type BrowserPage, openBrowser } from "./browser.ts";
import type { CollectedText } from "../service/collected_text.ts";
import { createTestDatabase } from "../postgres/database.ts";
import { startTestStack } from "../service/stack.ts";

export const testPassword = "correct horse battery";
const patienceMs = 45_000;
/** Factor by which pages run slower, to find races between a test and a page. */
const slowdown = Number(Deno.env.get("TEST_SLOWDOWN") ?? "1");

/** The whole service with its dashboard, and a browser. */
export interface DashboardWorld {
  info: StackInfo;
  /** Opens a page with its own storage, like another person's browser. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Waits for the next email to an address, as the stack prints it. */
  readMail(address: string): Promise<string>;
  /** Everything the stack has printed so far. */
  printed(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a stack and a browser for tests of the dashboard. */
export async function openDashboardWorld(): Promise<DashboardWorld> {
  await using cleanup = new AsyncDisposableStack();
  const db = cleanup.use(await createTestDatabase());
  const stack = cleanup.use(await startTestStack({ args: ["--database-url", db.url] }));
  const browser: BrowserPage = cleanup.use(await openBrowser());
  const kept = cleanup.move();
  return {
    info: stack.info,
    readMail: createMailReader(stack.printed),
    printed: () => stack.printed.text(),
    openPage: (options) => openPage(browser, { baseURL: stack.info.base_url, ...options }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function createMailReader(printed: CollectedText): DashboardWorld["readMail"] {
  const read = new Map<string, number>();
  return async (address) => {
    const index = read.get(address) ?? 0;
    read.set(address, index + 1);
    const mails = (text: string) =>
      text.split("\n").filter((line) => line.startsWith(`Mail to ${address}: `));
    await printed.waitFor((text) => mails(text).length > index);
    return mails(printed.text())[index] ?? "";
  };
}

async function openPage({ page }: BrowserPage, options: BrowserContextOptions): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error("Cannot open a page: the browser is gone");
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patienceMs);
  const opened = await context.newPage();
  if (slowdown > 1) {
    const session = await context.newCDPSession(opened);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  }
  return opened;
}

/** Signs up on the page and returns the path of the workspace that opens. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.goto("/sign-up");
  await fillCredentials(page, { email, password: testPassword });
  await page.getByRole("button", { name: "Sign up" }).click();
  return await landInWorkspace(page);
}

/** Signs in on the page and returns the path of the workspace that opens. */
export async function signIn(
  page: Page,
  credentials: { email: string; password: string },
): Promise<string> {
  await page.goto("/sign-in");
  await fillCredentials(page, credentials);
  await page.getByRole("button", { name: "Sign in" }).click();
  return await landInWorkspace(page);
}

/** Signs out with the user menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /sign out/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Fills in the form that signs up or in. */
export async function fillCredentials(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
}

async function landInWorkspace(page: Page): Promise<string> {
  await page.waitForURL(/\/w\/[0-9a-f-]+/);
  return new URL(page.url()).pathname.split("/").slice(0, 3).join("/");
}

/** Opens another workspace of the user, and waits until the page's links lead into it. */
export async function switchWorkspace(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /Switch workspace/ }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("button", { name: new RegExp(`${name}.*Switch workspace`) }).waitFor();
}

/** Pages that Settings leads to. */
export const settingsPages: readonly string[] = [
  "API keys",
  "Team",
  "Usage",
  "Audit log",
  "Account",
];

/** Opens another page from the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = (navigation: string, label: string) =>
    page.getByRole("navigation", { name: navigation }).getByRole("link", {
      name: label,
      exact: true,
    });
  if (settingsPages.includes(name)) {
    await link("Main", "Settings").click();
    await link("Settings", name).click();
  } else await link("Main", name).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

const storageKey = "signalpost-auth";

/**
 * Opens the page again an hour later, when its token has expired. The token expires while the page is
 * away, or else its client of Supabase Auth could renew it just before the page leaves.
 */
export async function reopenExpired(page: Page): Promise<void> {
  const address = page.url();
  await page.goto("/config.json");
  await expireToken(page);
  await page.goto(address);
}

/** Expires the token of the session, as if an hour had passed. */
export function expireToken(page: Page): Promise<void> {
  return page.evaluate((key) => {
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
  }, storageKey);
}
