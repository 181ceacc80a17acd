import { Hono } from "hono";
import absolutePath from "swagger-ui-dist/absolute-path.js";

const files = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Signalpost API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/functions/v1/api/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

// The page styles itself inline and draws its icons as data; nothing comes from elsewhere.
const headers = {
  "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The OpenAPI document as a page to read and try, at `/docs`. */
export function createDocsPage(): Hono {
  const app = new Hono();
  for (const path of ["/docs", "/docs/*"]) {
    app.use(path, async (c, next) => {
      await next();
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
    });
  }
  app.get("/docs", (c) => c.html(page));
  app.get("/docs/start.js", (c) => c.body(start, 200, { "Content-Type": "text/javascript" }));
  for (const [name, type] of Object.entries(files)) {
    app.get(`/docs/${name}`, async (c) => {
      const file = await Deno.open(`${absolutePath()}/${name}`);
      return c.body(file.readable, 200, { "Content-Type": type });
    });
  }
  return app;
}
