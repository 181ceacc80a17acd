/** A kind of read, and what its n-th call asks for. */
export interface ApiRead {
  operationId: string;
  title: string;
  path: (n: number) => string;
}
