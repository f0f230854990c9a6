import { RPC_CODE } from '../rpcError.ts';
import type { MethodDeclaration, MethodError } from '../rpcMethod.ts';

/** The errors that follow from a method's parameters and needs. */
export function commonErrors({ params, needs }: MethodDeclaration): MethodError[] {
  const errors: MethodError[] = [];
  const [first] = params;
  if (first) errors.push({ code: RPC_CODE.invalidParams, message: 'invalid argument 0: …' });
  if (needs) {
    errors.push(
      { code: RPC_CODE.server, message: 'requested height … is not yet available; safe latest is …' },
      { code: RPC_CODE.server, message: 'requested height … has been pruned; earliest available is …' },
    );
  }
  return errors;
}
