import type { Page } from "playwright-core";

/**
 * Collects what a page must never do: requests to other origins, tokens in addresses, violations of
 * the policy, and exceptions.
 */
export async function watchPage(page: Page, baseUrl: string): Promise<string[]> {
  const problems: string[] = [];
  const own = new URL(baseUrl).origin;
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== own) problems.push(`left for ${url.origin}`);
    if (/eyJ|refresh_token|access_token=|pk_[0-9A-Za-z]{38}/.test(url.href)) {
      problems.push(`a token in ${url.pathname}`);
    }
  });
  await page.exposeFunction("reportViolation", (text: string) => problems.push(text));
  await page.addInitScript(reportViolations);
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("framenavigated", (frame) => {
    if (/token|eyJ/.test(frame.url())) problems.push(`a token in ${frame.url()}`);
  });
  return problems;
}

/** Text, because it runs on the page, whose types are not known here. */
const reportViolations = `addEventListener("securitypolicyviolation", (event) =>
  reportViolation(event.violatedDirective + " " + event.sample + " on " + location.pathname))`;
