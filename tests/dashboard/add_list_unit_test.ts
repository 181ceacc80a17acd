import assert from "node:assert/strict";
import { addList } from "../../dashboard/src/url/add_list.ts";

Deno.test("a link remembers the filters of the last ten lists, and of each the newest", () => {
  const add = (lists: Readonly<Record<string, string>>, pathname: string, search: string) =>
    addList(lists, { pathname, search });
  const sent = add({}, "/w/1/sends", "?state=sent");
  assert.deepEqual(sent, { "/w/1/sends": "?state=sent" });
  assert.deepEqual(add(sent, "/w/1/sends/2", ""), sent);
  assert.deepEqual(add(sent, "/w/1/sends", "?state=failed"), { "/w/1/sends": "?state=failed" });
  assert.deepEqual(add(sent, "/w/1/sends", ""), {});
  let many: Readonly<Record<string, string>> = {};
  for (let n = 0; n < 12; n++) many = add(many, `/w/1/list-${n}`, "?q=x");
  assert.deepEqual(Object.keys(many).length, 10);
  assert.deepEqual(Object.keys(many)[0], "/w/1/list-2");
});
