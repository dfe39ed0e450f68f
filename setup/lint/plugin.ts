import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuleTester } from "oxlint/plugins-dev";
import { findBrokenRule } from "./import-rules.ts";

type Rule = Exclude<Parameters<RuleTester["run"]>[1], { createOnce: unknown }>;
type Visitor = ReturnType<Rule["create"]>;
type Node = Parameters<NonNullable<Visitor[string]>>[0];
type Attribute = Extract<Node, { type: "JSXAttribute" }>;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns the expression of an attribute, for both `"a"` and `{a}`. */
const valueOf = ({ value }: Attribute): Node | null =>
  value?.type === "JSXExpressionContainer" ? value.expression : value;

/** Returns the texts of a literal or template, or null for any other expression. */
function textsOf(node: Node): string[] | null {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : null;
  if (node.type === "TemplateLiteral") return node.quasis.map(({ value }) => value.raw);
  return null;
}

/** Creates a rule that reports everything that one of the selectors matches. */
const forbidSyntax = (message: string, ...selectors: string[]): Rule => ({
  create: (context) =>
    Object.fromEntries(
      selectors.map((selector) => [selector, (node: Node) => context.report({ node, message })]),
    ),
});

/** Creates a rule that reports every match in the text of a file. */
const forbidText = (message: string, ...patterns: RegExp[]): Rule => ({
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const { index } of patterns.flatMap((one) => [...sourceCode.text.matchAll(one)])) {
        const start = sourceCode.getLocFromIndex(index);
        context.report({ loc: { start, end: start }, message });
      }
    },
  }),
});

/** Layers, features and modules may only use what `import-rules.ts` allows. */
const imports: Rule = {
  create(context) {
    const from = relative(root, context.filename).replaceAll("\\", "/");
    function resolve(specifier: string): string {
      if (specifier.startsWith(".")) return join(dirname(from), specifier).replaceAll("\\", "/");
      if (specifier.startsWith("#test/")) return specifier.slice(1);
      return specifier.startsWith("#") ? `src/${specifier.slice(1)}` : specifier;
    }
    function check(node: Node): void {
      const source = "source" in node ? node.source : null;
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const to = resolve(source.value);
      const broken = findBrokenRule({ from, to });
      if (broken !== null) context.report({ node: source, message: `imports ${to}: ${broken}` });
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
    };
  },
};

/** Addresses without a language: other sites, anchors, queries, files, the API, the back office. */
const withoutLanguage = /^(?!\/)|\.\w+$|^\/(api|media|admin|auth|setup)(\/|$)/;

/** Links of the public side keep the page's language. Router navigation does so by itself. */
const pagePath: Rule = {
  create(context) {
    const sourceOf = (node: Node) => context.sourceCode.getText(node);
    function check(address: Node | null | undefined): void {
      if (address == null || sourceOf(address).includes("pagePath(")) return;
      const texts = textsOf(address);
      // A template that starts with an expression may be a page, unless it ends like a file name.
      const elsewhere = texts?.[0] === "" ? /\.\w+$/ : withoutLanguage;
      if (texts !== null && elsewhere.test(texts.join("x"))) return;
      context.report({ node: address, message: "This link leaves the language: use pagePath." });
    }
    return {
      JSXOpeningElement(element) {
        if (!/^(a|form|button|area)$/.test(sourceOf(element.name))) return;
        const attributes = element.attributes.filter((one) => one.type === "JSXAttribute");
        // Links to another language contain that language.
        if (attributes.some(({ name }) => name.name === "hrefLang")) return;
        for (const attribute of attributes) {
          if (/^(href|action|formAction)$/.test(sourceOf(attribute.name)))
            check(valueOf(attribute));
        }
      },
      CallExpression({ callee, arguments: [address] }) {
        if (/(^|\.)(location\.(assign|replace)|window\.open)$/.test(sourceOf(callee)))
          check(address);
      },
      AssignmentExpression({ left, right }) {
        if (/\.href$|^(window\.)?location$/.test(sourceOf(left))) check(right);
      },
    };
  },
};

/** Attributes whose text is shown or read aloud. */
const shownName =
  /^(aria-(label|description|roledescription|valuetext)|alt|title|placeholder|label|hint|.+Label|.+Text)$/;
/** Syntax whose texts nobody reads, and calls whose texts are for operators and developers. */
const unseen = /^(ImportDeclaration|TS(TypeAlias|Interface)Declaration|TSTypeAnnotation)$/;
const unseenCall = /^(console\.\w+|\w*Error|super)$/;
/** Letters, and punctuation that belongs to a sentence and so to its language. */
const inSentence = /[\p{L}.,:;?!“”„"«»'’()]/u;
const sentence = /^\p{Lu}\p{Ll}+( [\p{L}“„"«(]|[.!?]$)/u;

/** Texts for visitors are messages, and no sentence is assembled from several of them. */
const texts: Rule = {
  create(context) {
    const sourceOf = (node: Node) => context.sourceCode.getText(node);
    const isUnseen = (node: Node) =>
      unseen.test(node.type) ||
      ((node.type === "CallExpression" || node.type === "NewExpression") &&
        unseenCall.test(sourceOf(node.callee)));
    const isShown = (node: Node) =>
      node.type === "JSXAttribute" && shownName.test(sourceOf(node.name));
    function report(node: Node, message = "Move this text to the messages."): void {
      const ancestors = context.sourceCode.getAncestors(node) as Node[];
      if (!ancestors.some((one) => isUnseen(one) || isShown(one)))
        context.report({ node, message });
    }
    /** Names of the messages of this file. */
    const names = new Set<string>();
    return {
      VariableDeclarator({ id, init }) {
        if (init !== null && sourceOf(init).startsWith("inLanguage(")) names.add(sourceOf(id));
      },
      JSXText(node) {
        if (inSentence.test(node.value)) report(node);
      },
      JSXAttribute(node) {
        const value = valueOf(node);
        if (!isShown(node) || value === null) return;
        if (textsOf(value)?.some((part) => inSentence.test(part)) === true) report(node);
      },
      Literal(node) {
        if (textsOf(node)?.some((part) => sentence.test(part)) === true) report(node);
      },
      TemplateLiteral(node) {
        const parts = textsOf(node) ?? [];
        const hasMessage = node.expressions.some((one) =>
          names.has(sourceOf(one).split(".")[0] ?? ""),
        );
        if (hasMessage && parts.some((part) => inSentence.test(part)))
          report(node, "Make one message of this sentence.");
        else if (!/[<{]/.test(parts.join("")) && parts.some((part) => sentence.test(part.trim())))
          report(node);
      },
    };
  },
};

const request = "/^(request|req|raw|incoming|message)$/i";

/** Rules of this repository. `.oxlintrc.json` names the files that each one checks. */
export default {
  meta: { name: "kinora" },
  rules: {
    imports,
    "page-path": pagePath,
    texts,
    "request-target": forbidSyntax(
      "Read the address of a request with targetOf of http/request-target.ts: two parsers could disagree.",
      "Identifier[name='originalUrl']",
      `MemberExpression[property.name='url'][object.name=${request}]`,
      `MemberExpression[property.name='url'][object.property.name=${request}]`,
      "VariableDeclarator[init.name=/^(request|req)$/] > ObjectPattern > Property[key.name='url']",
      "VariableDeclarator[init.object.name=/^(request|req)$/]:not([init.property.name=/^(body|query|params|routeOptions)$/]) > ObjectPattern > Property[key.name='url']",
      "ObjectPattern[typeAnnotation.typeAnnotation.typeName.name=/^(IncomingMessage|FastifyRequest)$/] > Property[key.name='url']",
    ),
    sql: forbidSyntax(
      "Move SQL to a repository.",
      "TaggedTemplateExpression[tag.name='sql']",
      "CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]",
      "CallExpression[callee.property.name='query'][callee.object.name=/^(pool|client)$/]",
    ),
    listed: forbidText(
      'Use is_listed or isListed, which define "listed".',
      /is_published(\s*=\s*true)?["']?\s*(and|&&|,)[\s\w.(]*status\s*={1,3}\s*["']ready["']/gi,
      /status\s*={1,3}\s*["']ready["']\s*(and|&&)[\s\w.(]*is_?published/gi,
      /is_published["'],\s*"=",\s*true\)\s*\.where\(\s*["'][\w.]*status["'],\s*"=",\s*["']ready["']/g,
    ),
    sides: forbidText(
      "Name the start or the end of the line: right-to-left pages mirror the layout.",
      /(?<=[\s"'`:!])-?(?:(?:[mp][lr]|left|right|scroll-[mp][lr]|space-x|rounded-(?:[lr]|[tb][lr])|border-[lr])-[\w[(][^\s"'`]*|(?:text|float|clear)-(?:left|right)|border-[lr](?=[\s"'`]))/g,
    ),
  },
} satisfies { meta: { name: string }; rules: Record<string, Rule> };
