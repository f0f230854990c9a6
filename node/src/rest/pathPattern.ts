interface PathPattern {
  /** For the router: `/cosmos/bank/v1beta1/balances/:address`. */
  readonly path: string;
  /** Field paths and texts out of the router's parameters. */
  parametersOf(params: Readonly<Record<string, string>>): [string, string][];
}

/** A template of a `google.api.http` rule: `{name}` is one segment, `{name=**}` the rest of the path. */
export function pathPattern(template: string): PathPattern {
  const names: [router: string, field: string][] = [];
  const path = template.replaceAll(/\{([^}=]+)(=\*\*)?\}/g, (_whole, field: string, rest?: string) => {
    const router = rest ? '*' : `p${names.length}`;
    names.push([router, field]);
    return rest ? '*' : `:${router}`;
  });
  return {
    path,
    parametersOf: (params) => names.map(([router, field]) => [field, params[router] ?? '']),
  };
}
