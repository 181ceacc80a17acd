/** One function as `functions deploy` sent it. */
export interface Upload {
  metadata: {
    name: string;
    verify_jwt: boolean;
    entrypoint_path: string;
    /** Empty when the function has no configuration. */
    import_map_path: string;
  };
  /** By path below the project. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
}

/** The part of the platform's management API that takes a deployment. */
export interface ManagementApi extends AsyncDisposable {
  /** A profile of the Supabase CLI that leads here. */
  profile: string;
  /** By name of the function. */
  uploads: Map<string, Upload>;
}

/** Takes what the Supabase CLI sends, and keeps it. */
export function startManagementApi(): ManagementApi {
  const uploads = new Map<string, Upload>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (r) => {
    if (!new URL(r.url).pathname.endsWith("/functions/deploy")) return Response.json([]);
    const upload = await readUpload(r);
    const { name } = upload.metadata;
    uploads.set(name, upload);
    const response = { id: name, slug: name, name, status: "ACTIVE", version: 1 };
    return Response.json(response, { status: 201 });
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  const addresses = ["api_url", "dashboard_url", "docs_url"].map((key) => `${key}: ${base}`);
  return {
    profile: ["name: test", "project_host: 127.0.0.1", ...addresses].join("\n"),
    uploads,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function readUpload(request: Request): Promise<Upload> {
  const form = await request.formData();
  const files: Upload["files"] = new Map();
  for (const file of form.getAll("file")) {
    if (file instanceof File) files.set(file.name, new Uint8Array(await file.arrayBuffer()));
  }
  return { metadata: JSON.parse(String(form.get("metadata"))), files };
}
