import {
  createTemplate,
  startTestCluster,
  type TestCluster,
} from "../../testing/postgres/cluster.ts";

/** Starts a Postgres of its own, in which this process makes test databases. */
export async function startBenchCluster(): Promise<TestCluster> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await startTestCluster());
  Deno.env.set("TEST_DB_URL", cluster.url);
  Deno.env.set("TEST_TEMPLATE", await createTemplate(cluster));
  cleanup.move();
  return cluster;
}
