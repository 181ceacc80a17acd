import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { makeRouter } from "./router.tsx";
import { createServices } from "./services.ts";

const container = document.getElementById("root");
if (!container) throw new Error('Cannot show the dashboard: no element "root"');
const services = await createServices();
createRoot(container).render(
  <StrictMode>
    <App services={services} router={makeRouter(services)} />
  </StrictMode>,
);
