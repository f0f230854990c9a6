import ts from 'typescript';

/** One way in which a program makes an error of a code. */
export interface ErrorSite {
  readonly code: string;
  /** As it is written, with `<name>` for what is put in. */
  readonly message: string;
  /** Names of the fields with their types. */
  readonly fields: readonly string[];
  readonly path: string;
}

const OWNER = 'CodedError';
const PROGRAMS = /\/(node|operator|platform|sidecars\/[^/]+)\/src\/.*\.ts$/;
const TESTS = /\.(test|fixture)\.ts$/;

/** Every error with a code that the programs below `root` make, by their syntax and types. */
export function collectErrors(root: string): ErrorSite[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile) as { config: object };
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const sources = parsed.fileNames.filter((path) => PROGRAMS.test(path) && !TESTS.test(path));
  const program = ts.createProgram(sources, parsed.options);
  const checker = program.getTypeChecker();
  return sources.flatMap((path) => {
    const source = program.getSourceFile(path)!;
    const sites: ErrorSite[] = [];
    const visit = (node: ts.Node): void => {
      for (const code of codesOf(node, checker))
        sites.push({ code, ...detailsOf(node, checker), path: path.slice(root.length + 1) });
      ts.forEachChild(node, visit);
    };
    if (source.text.includes(OWNER)) visit(source);
    return sites;
  });
}

type Making = ts.NewExpression | ts.CallExpression;

function isMaking(node: ts.Node): node is Making {
  if (ts.isNewExpression(node)) return node.expression.getText() === OWNER;
  return (
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword && extendsOwner(node)
  );
}

function extendsOwner(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent)
    if (ts.isClassLike(at)) return at.heritageClauses?.some((it) => it.getText().includes(OWNER)) ?? false;
  return false;
}

/** None where a code is passed on that another place has made. */
function codesOf(node: ts.Node, checker: ts.TypeChecker): readonly string[] {
  const [code] = isMaking(node) ? (node.arguments ?? []) : [];
  if (!code) return [];
  if (!ts.isTemplateExpression(code)) return textsOf(checker.getTypeAtLocation(code));
  return code.templateSpans.reduce<readonly string[]>(
    (heads, { expression, literal }) =>
      heads.flatMap((head) =>
        textsOf(checker.getTypeAtLocation(expression)).map((text) => `${head}${text}${literal.text}`),
      ),
    [code.head.text],
  );
}

function textsOf(type: ts.Type): readonly string[] {
  const types = type.isUnion() ? type.types : [type];
  return types.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
}

function detailsOf(node: ts.Node, checker: ts.TypeChecker): Pick<ErrorSite, 'message' | 'fields'> {
  const [, message, details] = (node as Making).arguments ?? [];
  return { message: message ? wordsOf(message) : '', fields: details ? fieldsOf(details, checker) : [] };
}

function wordsOf(message: ts.Expression): string {
  if (ts.isStringLiteralLike(message)) return message.text;
  if (!ts.isTemplateExpression(message)) return `<${nameOf(message)}>`;
  const spans = message.templateSpans.map(
    ({ expression, literal }) => `<${nameOf(expression)}>${literal.text}`,
  );
  return [message.head.text, ...spans].join('');
}

/** What is put in by its last name: that of a call is its argument's, or what it is called on. */
function nameOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  if (ts.isNonNullExpression(expression)) return nameOf(expression.expression);
  if (!ts.isCallExpression(expression)) return '…';
  const [first] = expression.arguments;
  if (first) return nameOf(first);
  const { expression: called } = expression;
  return ts.isPropertyAccessExpression(called) ? nameOf(called.expression) : nameOf(called);
}

function fieldsOf(details: ts.Expression, checker: ts.TypeChecker): readonly string[] {
  const fields = checker.getTypeAtLocation(details).getProperty('fields');
  if (!fields) return [];
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(fields, details));
  return type.getProperties().map((property) => {
    const shown = checker.getTypeOfSymbolAtLocation(property, details);
    return `${property.name}: ${checker.typeToString(checker.getBaseTypeOfLiteralType(shown))}`;
  });
}
