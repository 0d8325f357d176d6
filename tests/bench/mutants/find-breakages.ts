import { type ESTree, parseSync } from 'vite';
import type { Breakage } from './breakage.ts';
import { findSqlBreakages } from './find-sql-breakages.ts';

type Range = { start: number; end: number };

const OPERATORS: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};
const STATEMENT = /^(Call|Await|Assignment|Unary)Expression$/;
/** Calls without which their object is of the same type and other content. */
const REFINEMENT = /^(trim|toLowerCase|toUpperCase|normalize|sort|filter|reverse|slice)$/;
const QUERY = /^(exec|prepare)$/;
/** What a screen does, and what it says to those who do not see it. The other attributes are looks and hints. */
const ATTRIBUTE = /^(role|aria-.*|on[A-Z].*|disabled|is[A-Z].*|href|to|state|type|dir)$/;
const LOOKS = /^(className|icon|look|key)$/;
/** Types, and the addresses of modules. */
const NO_CODE =
  /^(TSTypeAnnotation|TSTypeAliasDeclaration|TSInterfaceDeclaration|TSTypeParameterInstantiation|Import(Declaration|Expression)|ExportAllDeclaration)$/;
/** What stands where something is still being loaded: how many grey bars there are is its looks. */
const PLACEHOLDER = /^function \w*Skeleton\(/;
/** What is said to whoever reads the log or a stack. */
const FOR_READERS = /^(console\.|log[.[]|new Error\()/;

/** Every breakage of a source that its language allows; whether its types do is for the compiler to say. */
export function findBreakages(path: string, source: string): Breakage[] {
  const text = ({ start, end }: Range) => source.slice(start, end);
  const replace = (kind: string, { start, end }: Range, replacement: string): Breakage[] => [
    { kind, start, end, replacement },
  ];

  function breakNode(node: ESTree.Node): Breakage[] {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        return replace('negate', node.test, `!(${text(node.test)})`);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return node.operator === '??' ? replace('fallback', node, text(node.right)) : swap(node);
      case 'ExpressionStatement':
        return STATEMENT.test(node.expression.type) ? replace('statement', node, ';') : [];
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return leaveEarly(node.body);
      case 'CallExpression':
        return breakCall(node);
      case 'ObjectExpression':
        return dropFrom('property', node.properties);
      case 'ArrayExpression':
        return dropFrom('element', node.elements);
      case 'Literal':
        return breakLiteral(node);
      case 'TemplateLiteral':
        return replace('text', node, "''");
      case 'TaggedTemplateExpression':
        return text(node.tag) === 'sql' ? findSqlBreakages(source, node.quasi) : [];
      case 'JSXAttribute':
        return ATTRIBUTE.test(text(node.name)) ? replace('attribute', node, '') : [];
      default:
        return [];
    }
  }

  function swap({ left, right, operator }: { left: Range; right: Range; operator: string }): Breakage[] {
    const other = OPERATORS[operator];
    const start = source.indexOf(operator, left.end);
    return other && start < right.start ? replace('operator', { start, end: start + operator.length }, other) : [];
  }

  function leaveEarly(body: ESTree.FunctionBody | ESTree.Expression | null): Breakage[] {
    if (body?.type !== 'BlockStatement' || body.body.length < 2) return [];
    return replace('early return', { start: body.start, end: body.start + 1 }, '{ return;');
  }

  function breakCall(call: ESTree.CallExpression): Breakage[] {
    const { callee, arguments: given } = call;
    const [beforeLast, last] = given.slice(-2);
    const shorter = beforeLast && last ? replace('argument', { start: beforeLast.end, end: last.end }, '') : [];
    if (callee.type !== 'MemberExpression') return shorter;
    const method = text(callee.property);
    if (REFINEMENT.test(method)) return [...shorter, ...replace('refinement', call, text(callee.object))];
    return QUERY.test(method) && given[0] ? [...shorter, ...findSqlBreakages(source, given[0])] : shorter;
  }

  function dropFrom(kind: string, list: readonly (Range | null)[]): Breakage[] {
    const items = list.filter((item) => item !== null);
    return items.flatMap((item, index) => {
      const [before, next] = [items[index - 1], items[index + 1]];
      const start = next || !before ? item.start : before.end;
      return replace(kind, { start, end: next?.start ?? item.end }, '');
    });
  }

  function breakLiteral(literal: Range & { value: unknown }): Breakage[] {
    const { value } = literal;
    if (typeof value === 'boolean') return replace('constant', literal, `${!value}`);
    if (typeof value === 'number') return replace('constant', literal, value === 0 ? '1' : `${value * 2}`);
    // Every sentence of a screen stands in the locale files: what has spaces here is a list of style classes.
    const isStyle = path.endsWith('.tsx') && /[ -]/.test(String(value));
    return typeof value === 'string' && value !== '' && !isStyle ? replace('text', literal, "''") : [];
  }

  /** Not into what nobody reads but the compiler, who reads the logs, and the eye. */
  function childrenOf(node: ESTree.Node): unknown[] {
    if (NO_CODE.test(node.type)) return [];
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return [node.expression];
      case 'Property':
        return [node.value];
      case 'TaggedTemplateExpression':
        return node.quasi.expressions;
      case 'JSXAttribute':
        return LOOKS.test(text(node.name)) ? [] : [node.value];
      case 'ExportNamedDeclaration':
        return [node.declaration];
      default:
        return Object.values(node);
    }
  }

  const isForReaders = (node: ESTree.Node) => FOR_READERS.test(text(node));
  const isPlaceholder = (node: ESTree.Node) => node.type === 'FunctionDeclaration' && PLACEHOLDER.test(text(node));
  const isLeftOut = (node: ESTree.Node) => isForReaders(node) || isPlaceholder(node);
  return [...walkSource(path, source, (node) => (isLeftOut(node) ? [] : childrenOf(node)))]
    .filter((node) => !isLeftOut(node))
    .flatMap(breakNode);
}

/** Every node of the source, outer ones first, and below each those that `childrenOf` gives. */
function* walkSource(
  path: string,
  source: string,
  childrenOf: (node: ESTree.Node) => unknown[],
): Generator<ESTree.Node> {
  const pending: unknown[] = [parseSync(path, source).program];
  while (pending.length > 0) {
    const node = pending.pop();
    if (Array.isArray(node)) pending.push(...node.toReversed());
    if (!isNode(node)) continue;
    yield node;
    pending.push(...childrenOf(node).toReversed());
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
