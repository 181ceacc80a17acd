import "./app/early/start.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { makeRouter } from "./app/router.tsx";
import { createServices } from "./api/services.ts";
import { prefetchWorkspaces } from "./api/workspaces.ts";

/** Not at the top level: files that it loads import this one, and would wait for each other. */
async function start(): Promise<void> {
  const container = document.getElementById("root");
  if (!container) throw new Error('Cannot show the dashboard: no element "root"');
  const services = await createServices();
  prefetchWorkspaces(services);
  createRoot(container).render(
    <StrictMode>
      <App services={services} router={makeRouter(services)} />
    </StrictMode>,
  );
}

start().catch((error) => {
  const status = document.querySelector(".first-paint span");
  if (status) status.textContent = "Couldn’t load the dashboard. Reload the page to try again.";
  throw error;
});
