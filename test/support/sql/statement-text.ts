import ts from 'typescript'
import { UNKNOWN } from './result-columns.ts'

/** Fragments within fragments, beyond which the text counts as unknown. */
const DEPTH_MAX = 20

/**
 * The texts of statements that are written as `sql` templates, as the syntax trees of a program show them. What stands
 * in another constant or function is put in; a value, and a fragment that cannot be followed, is `UNKNOWN`.
 */
export class StatementTexts {
  private readonly checker: ts.TypeChecker
  private depth = 0

  constructor(checker: ts.TypeChecker) {
    this.checker = checker
  }

  /** The text of a fragment. */
  textOf(expression: ts.Expression): string {
    if (this.depth >= DEPTH_MAX) return UNKNOWN
    this.depth += 1
    try {
      return this.fragmentOf(unwrap(expression))
    } finally {
      this.depth -= 1
    }
  }

  private fragmentOf(node: ts.Expression): string {
    if (isSqlTemplate(node)) return this.templateOf(node.template)
    if (ts.isConditionalExpression(node))
      return `${this.textOf(node.whenTrue)} ${this.textOf(node.whenFalse)}`
    if (ts.isCallExpression(node)) return this.callOf(node)
    const value = this.valueOf(node)
    return value ? this.textOf(value) : UNKNOWN
  }

  private templateOf(template: ts.TemplateLiteral): string {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text
    const spans = template.templateSpans.map((span) => this.textOf(span.expression) + span.literal.text)
    return template.head.text + spans.join('')
  }

  private callOf({ expression: callee, arguments: [first] }: ts.CallExpression): string {
    if (ts.isPropertyAccessExpression(callee)) {
      const method = callee.name.text
      const isOfSql = ts.isIdentifier(callee.expression) && callee.expression.text === 'sql'
      if (!first) return UNKNOWN
      if (isOfSql && method === 'raw') return this.stringOf(first)
      if (isOfSql && method === 'join') return this.listOf(first)
      if (isOfSql && ['ref', 'table', 'id'].includes(method)) return this.nameOf(first)
      return method === 'as' ? `${this.textOf(callee.expression)} as ${this.nameOf(first)}` : UNKNOWN
    }
    const called = this.valueOf(unwrap(callee))
    return called ? this.resultOf(called) : UNKNOWN
  }

  /** What a function returns. */
  private resultOf(called: ts.Node): string {
    if (ts.isArrowFunction(called) && !ts.isBlock(called.body)) return this.textOf(called.body)
    if (!ts.isFunctionLike(called) || !('body' in called) || !called.body) return UNKNOWN
    const results: string[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) return
      if (ts.isReturnStatement(node) && node.expression) results.push(this.textOf(node.expression))
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(called.body, visit)
    return results.join(' ')
  }

  /** The text of a string, as it is passed to `sql.raw` or, also within an object, to `query`. */
  stringOf(expression: ts.Expression): string {
    const node = unwrap(expression)
    if (ts.isObjectLiteralExpression(node)) return this.propertyOf(node, 'text')
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map((span) => this.stringOf(span.expression) + span.literal.text)
      return node.head.text + spans.join('')
    }
    const value = this.valueOf(node)
    return value && ts.isExpression(value) ? this.stringOf(value) : UNKNOWN
  }

  private propertyOf(object: ts.ObjectLiteralExpression, name: string): string {
    const property = object.properties.find((one) => one.name?.getText() === name)
    return property && ts.isPropertyAssignment(property) ? this.stringOf(property.initializer) : UNKNOWN
  }

  /** The fragments of `sql.join`; what a list is mapped to stands for all its elements. */
  private listOf(expression: ts.Expression): string {
    const node = unwrap(expression)
    if (ts.isArrayLiteralExpression(node)) {
      return node.elements
        .map((element) =>
          ts.isSpreadElement(element) ? this.listOf(element.expression) : this.textOf(element),
        )
        .join(', ')
    }
    const [callback] = ts.isCallExpression(node) && isCallOf(node, 'map') ? node.arguments : []
    if (callback) return this.resultOf(callback)
    const value = this.valueOf(node)
    return value ? this.listOf(value) : UNKNOWN
  }

  /** The last part of a name, quoted; the names of a union of literals, separated by `|`. */
  private nameOf(expression: ts.Expression): string {
    const node = unwrap(expression)
    const last = ts.isTemplateExpression(node) ? node.templateSpans.at(-1) : undefined
    if (last?.literal.text.includes('.')) return `"${lastPart(last.literal.text)}"`
    if (last?.literal.text === '') return this.nameOf(last.expression)
    const type = this.checker.getTypeAtLocation(node)
    const types = type.isUnion() ? type.types : [type]
    const names = types.flatMap((one) => (one.isStringLiteral() ? [lastPart(one.value)] : []))
    return names.length === types.length ? `"${names.join('|')}"` : UNKNOWN
  }

  /** The expression of a constant, or a function, by its name. */
  private valueOf(node: ts.Node): ts.Expression | undefined {
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node
    if (!ts.isIdentifier(node)) return undefined
    let symbol = this.checker.getSymbolAtLocation(node)
    if (symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = this.checker.getAliasedSymbol(symbol)
    const declaration = symbol?.valueDeclaration
    if (declaration && ts.isFunctionDeclaration(declaration)) return declaration as unknown as ts.Expression
    return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  }
}

/** Whether a node is a template of Kysely's `sql`. */
export const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'

const isCallOf = (node: ts.CallExpression, method: string): boolean =>
  ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === method

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** An expression without parentheses and type assertions. */
function unwrap(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  return isWrapped ? unwrap(node.expression) : node
}
