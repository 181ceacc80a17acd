import { runAuthTests } from "../../testing/service/auth_suite.ts";

const event = { external_id: "user-1", name: "viewed" };
const device = { external_id: "user-1", token: "token-1", platform: "ios" };
const scope = "track:write";

runAuthTests({ title: "POST /track", body: event, scope });
runAuthTests({ title: "POST /track (bulk)", body: { events: [event] }, scope });
runAuthTests({ title: "POST /track/devices", path: "/track/devices", body: device, scope });
runAuthTests({
  title: "DELETE /track/devices",
  method: "DELETE",
  path: "/track/devices",
  body: { token: "token-1" },
  scope,
});
