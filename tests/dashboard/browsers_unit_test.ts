import assert from "node:assert/strict";
import { describeBrowser } from "../../dashboard/src/format/browsers.ts";

Deno.test("describeBrowser() names browser and system, or what is known of them", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/156.0.0.0 Safari/537.36";
  const cases: [string | null, string][] = [
    [chrome, "Chrome on Linux"],
    [`${chrome} Edg/156.0.0.0`, "Edge on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1",
      "Safari on iPhone",
    ],
    ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
    ["curl/8.9.1", "curl/8.9.1"],
    [null, "Browser not recorded"],
    ["", "Browser not recorded"],
  ];
  for (const [userAgent, name] of cases) assert.equal(describeBrowser(userAgent), name);
});
