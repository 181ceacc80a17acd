import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

/** A page in a real Chromium, closed on disposal. */
export interface BrowserPage {
  page: Page;
  /** Addresses of all requests of the page. */
  requested: string[];
  /** Errors of the page's console, and exceptions. */
  errors: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Switches off Chromium's own requests to its maker, and a graphics card that is simulated. */
const quiet = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-gpu",
];

/** Starts a headless Chromium with one page. @throws Error where there is no Chromium. */
export async function openBrowser(): Promise<BrowserPage> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("Cannot start a browser: no Chromium was found");
  const browser: Browser = await chromium.launch({
    executablePath,
    // Chromium refuses to run as root with its sandbox.
    args: [...quiet, ...Deno.uid() === 0 ? ["--no-sandbox"] : []],
  });
  const page = await browser.newPage();
  const requested: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  return {
    page,
    requested,
    errors,
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
