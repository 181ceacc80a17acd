import { type Context, Hono } from "hono";
import type { MailStore, StoredMail } from "./mail_store.ts";
import { listPage, mailPage, style } from "./pages.ts";
import { readMail, summarizeMail } from "./read_mail.ts";

export interface InboxOptions {
  store: MailStore;
  /** Port of the SMTP server, which the page names. */
  smtpPort: number;
}

/** The page itself has no script, and may show frames of its own address only. */
const pagePolicy = "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * A mail's HTML gets no script, no form and no origin, in a frame or opened on its own. Links open in
 * a new tab. Without `images=1` it loads nothing either.
 */
function mailPolicy(withImages: boolean): string {
  return "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
    `style-src 'unsafe-inline'; img-src data:${withImages ? " http: https:" : ""}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
}

const safeHeaders = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Creates `/inbox`, which shows the mails of a store, and `/inbox/api/mails`, which returns them as
 * JSON. Other sites in the same browser can neither read nor delete them.
 */
export function createInbox({ store, smtpPort }: InboxOptions): Hono {
  const app = new Hono();
  for (const path of ["/inbox", "/inbox/*"]) {
    app.use(path, async (c, next) => {
      if (!isFromHere(c)) {
        return c.text("Open the inbox at http://127.0.0.1 or http://localhost", 403);
      }
      await next();
      for (const [name, value] of Object.entries(safeHeaders)) c.header(name, value);
      if (!c.res.headers.has("content-security-policy")) {
        c.header("content-security-policy", pagePolicy);
      }
    });
  }
  addApi(app, store);
  addPages(app, { store, smtpPort });
  return app;
}

const localHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A name that leads here from elsewhere, or a form of another site, is refused. */
function isFromHere(c: Context): boolean {
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  const origin = c.req.header("origin");
  return localHost.test(host) && (origin === undefined || origin === `http://${host}`);
}

/** Longest time for which a call waits for a mail. */
const maxWaitSeconds = 30;

function addApi(app: Hono, store: MailStore): void {
  const limit = 100;
  const find = (to: string | undefined) =>
    store.list().filter(({ envelope }) => to === undefined || isFor(envelope.to, to));
  app.get("/inbox/api/mails", async (c) => {
    const to = c.req.query("to")?.toLowerCase();
    const endsAt = Date.now() + 1000 * Math.min(Number(c.req.query("wait")) || 0, maxWaitSeconds);
    while (find(to).length === 0 && Date.now() < endsAt) {
      await store.waitForNext(endsAt - Date.now());
    }
    const mails = find(to).slice(0, limit);
    return c.json({ data: await Promise.all(mails.map(summarizeMail)) });
  });
  app.delete("/inbox/api/mails", (c) => {
    store.clear();
    return c.body(null, 204);
  });
  app.get("/inbox/api/mails/:id", async (c) => {
    const mail = store.find(c.req.param("id"));
    if (mail === undefined) return c.json({ error: "Email does not exist" }, 404);
    return c.json(await readMail(mail));
  });
}

function isFor(addresses: readonly string[], wanted: string): boolean {
  return addresses.some((address) => address.toLowerCase() === wanted);
}

function addPages(app: Hono, { store, smtpPort }: InboxOptions): void {
  const withMail = (show: (c: Context, mail: StoredMail) => Promise<Response> | Response) => {
    return (c: Context) => {
      const mail = store.find(c.req.param("id") ?? "");
      return mail === undefined ? c.text("Email does not exist", 404) : show(c, mail);
    };
  };
  app.get("/inbox", async (c) => {
    const mails = await Promise.all(store.list().map(summarizeMail));
    return c.html(listPage(mails, smtpPort));
  });
  app.get("/inbox/style.css", (c) => c.body(style, 200, { "content-type": "text/css" }));
  app.post("/inbox/delete", (c) => {
    store.clear();
    return c.redirect("/inbox", 303);
  });
  app.get(
    "/inbox/:id",
    withMail(async (c, mail) => {
      return c.html(mailPage(await readMail(mail), c.req.query("images") === "1"));
    }),
  );
  app.get(
    "/inbox/:id/html",
    withMail(async (c, mail) => {
      const { html } = await readMail(mail);
      if (html === null) return c.text("Email has no HTML", 404);
      return c.html(`<!doctype html><base target="_blank">${html}`, 200, {
        "content-security-policy": mailPolicy(c.req.query("images") === "1"),
      });
    }),
  );
  app.get(
    "/inbox/:id/source",
    withMail((c, mail) => {
      return c.body(mail.source, 200, { "content-type": "text/plain; charset=utf-8" });
    }),
  );
}
