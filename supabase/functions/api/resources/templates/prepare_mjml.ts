import type { ApiService } from "../../kernel/route.ts";

interface PreparedCall {
  body: { mjml?: string | null | undefined };
  service: ApiService;
}

/** Compiles the MJML of a template before the transaction, so that no connection waits for it. */
export async function prepareMjml({ body, service }: PreparedCall): Promise<ApiService> {
  const { mjml } = body;
  if (typeof mjml !== "string") return service;
  const compiled = await service.compileMjml(mjml);
  return { ...service, compileMjml: () => Promise.resolve(compiled) };
}
