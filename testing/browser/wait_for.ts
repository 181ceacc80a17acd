const patienceMs = 45_000;
const pauseMs = 100;

/** Reads until there is something. @throws Error when nothing comes for long. */
export async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (true) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error("Cannot fill the dashboard: nothing came of it");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
