import { Outlet } from "@tanstack/react-router";
import { NavigationLink } from "./navigation.tsx";
import { settingsEntries } from "./settings_entries.ts";

/** Surrounds the pages of settings with links to all of them. */
export function SettingsLayout() {
  return (
    <div className="settings">
      <nav aria-label="Settings" className="settings-nav">
        {settingsEntries.map((entry) => <NavigationLink key={entry.path} {...entry} isExact />)}
      </nav>
      <div className="settings-page">
        <Outlet />
      </div>
    </div>
  );
}
