/** A statement that can be cancelled: one of the driver's. */
export interface CancellableStatement<Rows> extends PromiseLike<Rows> {
  /** Resolves once the database has handled the cancellation, as the patched driver does. */
  cancel(): unknown;
}

/**
 * Runs a statement, and cancels it in the database when the caller leaves. It settles after the
 * database has handled the cancellation, which could otherwise reach the next statement of another
 * caller on the same connection.
 *
 * @throws the statement's error; after a cancellation, with the SQLSTATE 57014
 */
export async function runCancellable<Rows>(
  statement: CancellableStatement<Rows>,
  signal: AbortSignal,
): Promise<Rows> {
  let cancellation: Promise<unknown> | undefined;
  const cancel = () => {
    // One that cannot reach the database cancels nothing.
    cancellation = Promise.resolve(statement.cancel()).catch(() => {});
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    return await statement;
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancellation;
  }
}
