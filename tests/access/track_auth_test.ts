import { runAuthSuite } from "../../testing/service/auth_suite.ts";

const event = { external_id: "user-1", name: "viewed" };
const device = { external_id: "user-1", token: "token-1", platform: "ios" };
const scope = "track:write";

runAuthSuite({ title: "POST /track", body: event, scope });
runAuthSuite({ title: "POST /track (bulk)", body: { events: [event] }, scope });
runAuthSuite({ title: "POST /track/devices", path: "/track/devices", body: device, scope });
runAuthSuite({
  title: "DELETE /track/devices",
  method: "DELETE",
  path: "/track/devices",
  body: { token: "token-1" },
  scope,
});
