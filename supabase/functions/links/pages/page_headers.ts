import { createHash } from "node:crypto";
import { pageStyle } from "../../_shared/links/render_page.ts";

/** Headers of every page. Nothing is loaded, and no script runs. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};
