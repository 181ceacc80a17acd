import { Hono } from "hono";
import { compress } from "hono/compress";
import { serveStatic } from "hono/deno";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const distPath = fileURLToPath(new URL("dist", import.meta.url));

/** The contents of `/config.json`, which the page needs before its first request. */
export interface DashboardConfig {
  /** Base address of `/auth/v1` and `/functions/v1`; `/` for the page's own address. */
  supabase_url: string;
  publishable_key: string;
  /** True if mails can go to an inbox of the stack. @default false */
  has_inbox?: boolean;
}

/** Headers of the page. docs/dashboard.md lists them for static hosts. */
export const securityHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Headers of built scripts, styles and fonts, which are not documents. */
const fileHeaders = { "x-content-type-options": "nosniff" };

export interface DashboardOptions {
  config: DashboardConfig;
  /** Folder of the built page. @default dashboard/dist */
  directory?: string;
}

/** Serves the built page, for every path of the dashboard, and its configuration. */
export function createDashboard({ config, directory = distPath }: DashboardOptions): Hono {
  const app = new Hono();
  app.use("*", async (c, next) => {
    await next();
    // Names of built files contain a hash of their content. Everything else may change.
    const isHashed = c.req.path.startsWith("/assets/") && c.res.ok;
    // Most of the headers are about documents, and would add a tenth to small files.
    const headers = isHashed ? fileHeaders : securityHeaders;
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
  });
  app.use("*", compress());
  app.get("/config.json", (c) => c.json(config));
  app.get("*", serveStatic({ root: directory, precompressed: true }));
  app.get("/assets/*", (c) => c.notFound());
  app.get("*", serveStatic({ root: directory, path: "index.html", precompressed: true }));
  app.get("/", (c) => c.text("The service is running. The dashboard is not built.\n"));
  return app;
}

/** Returns whether the page has been built. */
export function hasDashboard(): boolean {
  return existsSync(join(distPath, "index.html"));
}
