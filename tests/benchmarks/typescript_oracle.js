/* Where TypeScript's own checker finds the definitions of a sample of identifiers.
 *
 *     node typescript_oracle.js TYPESCRIPT ROOT COUNT < files
 *
 * COUNT 0 asks for all identifiers, also those that stand in their line more than once. TYPESCRIPT is the folder of the npm package, `files` are paths below ROOT, one a line. Prints one
 * JSON line for each reference: [path, line, column, name, [[file, line, name, kind], ...], use],
 * where file is null outside of ROOT, kind is "local" for variables and parameters of functions and
 * "data" for fields of object literals that hold no function, and use is "call" or "". The
 * definition behind `module.exports = f`, `const {f} = module` and `{f}` is a target too. The
 * packages of a workspace are found through their names, since nothing is installed.
 */
"use strict";
const fs = require("fs");
const path = require("path");

const ts = require(path.resolve(process.argv[2]));
const root = fs.realpathSync(process.argv[3]);
const count = Number(process.argv[4]);
const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);

function workspace() {
  const paths = {};
  const manifests = ts.sys.readDirectory(root, [".json"], ["**/node_modules"], ["**/package.json"]);
  for (const file of manifests) {
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    const folder = path.dirname(file);
    if (config && config.name && folder !== root) {
      const sources = [path.join(folder, "src/index"), path.join(folder, "index")];
      paths[config.name] = sources.concat(path.join(folder, "src"));
      paths[config.name + "/*"] = [path.join(folder, "src/*"), path.join(folder, "*")];
    }
  }
  const config = path.join(root, "tsconfig.json");
  if (fs.existsSync(config)) {
    const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, {
      ...ts.sys, onUnRecoverableConfigFileDiagnostic() {},
    });
    const own = (parsed && parsed.options.paths) || {};
    for (const [name, targets] of Object.entries(own)) {
      paths[name] = targets.map((one) => path.resolve(parsed.options.pathsBasePath || root, one));
    }
  }
  return paths;
}

const program = ts.createProgram(files.map((file) => path.join(root, file)), {
  allowJs: true, checkJs: false, noEmit: true, skipLibCheck: true, strict: true,
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve,
  customConditions: ["@zod/source", "source", "development"], resolveJsonModule: true,
  experimentalDecorators: true, types: [], paths: workspace(), maxNodeModuleJsDepth: 0,
});
const checker = program.getTypeChecker();

function isReference(node) {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent) ? parent.expression === node : true)
    if (/^(module|exports|require)$/.test(node.text)) return false;
  if (ts.isDeclaration(parent) && parent.name === node && !ts.isShorthandPropertyAssignment(parent))
    return false;
  for (let up = parent; up; up = up.parent)
    if (ts.isImportDeclaration(up) || ts.isExportDeclaration(up) || ts.isImportEqualsDeclaration(up))
      return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if (ts.isJsxAttribute(parent) || ts.isJsxClosingElement(parent)) return false;
  if (ts.isJsxOpeningLikeElement(parent) && /^[a-z]/.test(node.text)) return false;
  return !ts.isLabeledStatement(parent) && !ts.isBreakOrContinueStatement(parent);
}

function identifiers(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text && isReference(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = source.text.split("\n");
  return count === 0 ? found : found.filter((node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const words = lines[line].match(/[\w$]+/g) || [];
    return words.filter((word) => word === node.text).length === 1;
  });
}

function isLocal(declaration) {
  if (ts.isParameter(declaration)) return !declaration.modifiers;
  if (ts.isTypeParameterDeclaration(declaration)) return true;
  if (!ts.isVariableDeclaration(declaration) && !ts.isBindingElement(declaration)) return false;
  let up = declaration.parent;
  while (up && !ts.isSourceFile(up) && !ts.isModuleBlock(up)) {
    if (ts.isFunctionLike(up) || ts.isClassStaticBlockDeclaration(up)) return true;
    up = up.parent;
  }
  return false;
}

function symbolOf(node) {
  const parent = node.parent;
  let symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol;
}

/* What a declaration only gives another name to: `exports = f`, `const {f} = all`, `{f}`, `g: f`. */
function renamed(declaration) {
  const value = ts.isBinaryExpression(declaration) ? declaration.right : declaration.initializer;
  if (ts.isShorthandPropertyAssignment(declaration))
    return checker.getShorthandAssignmentValueSymbol(declaration);
  if (ts.isPropertyAccessExpression(declaration)) {
    const assigned = declaration.parent;
    return ts.isBinaryExpression(assigned) && assigned.left === declaration
      ? renamed(assigned) : undefined;
  }
  if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
    const of = checker.getTypeAtLocation(declaration.parent);
    return of.getProperty((declaration.propertyName || declaration.name).text);
  }
  let last = value;
  while (last && ts.isBinaryExpression(last)) last = last.right;
  if (last && ts.isRequireCall(last, true)) {
    const required = checker.getSymbolAtLocation(last.arguments[0]);
    return required && checker.resolveExternalModuleSymbol(required);
  }
  return last && ts.isIdentifier(last) ? symbolOf(last) : undefined;
}

function allDeclarations(node) {
  const found = new Set();
  const symbols = [symbolOf(node)];
  for (let symbol = symbols.pop(); symbol; symbol = symbols.pop()) {
    if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    for (const one of symbol.declarations || []) {
      if (found.has(one)) continue;
      found.add(one);
      const other = renamed(one);
      if (other) symbols.push(other);
    }
  }
  return [...found];
}

/* A field of an object literal, or `object.field = …`, that holds neither function nor class. */
function isData(declaration) {
  if (ts.isShorthandPropertyAssignment(declaration)) return true;
  let value = declaration.initializer;
  const left = ts.isBinaryExpression(declaration) ? declaration.left : declaration;
  if (!ts.isPropertyAssignment(declaration)) {
    if (!ts.isAccessExpression(left)) return false;
    if (/^(this|exports|module)$/.test(left.expression.getText())) return false;
    value = ts.isBinaryExpression(left.parent) ? left.parent.right : undefined;
  }
  while (value && (ts.isBinaryExpression(value) || ts.isParenthesizedExpression(value)))
    value = value.right || value.expression;
  return !value || !(ts.isFunctionLike(value) || ts.isClassLike(value));
}

function kindOf(declaration) {
  if (ts.isSourceFile(declaration)) return "module";
  if (isLocal(declaration)) return "local";
  return isData(declaration) ? "data" : ts.SyntaxKind[declaration.kind];
}

function nameOf(declaration) {
  if (ts.isSourceFile(declaration)) return null;
  const assigned = ts.isBinaryExpression(declaration) ? declaration.left : null;
  return assigned && assigned.name ? assigned.name : ts.getNameOfDeclaration(declaration);
}

/* Globals of scripts, and what `declare module "x"` says of a package that is not installed. */
function isOfAnotherProgram(declaration, source) {
  for (let up = declaration.parent; up; up = up.parent)
    if (ts.isModuleDeclaration(up) && ts.isStringLiteral(up.name)) return true;
  return !ts.isExternalModule(source) && !source.commonJsModuleIndicator
    && !source.isDeclarationFile;
}

function definitions(node) {
  return allDeclarations(node).map((one) => {
    const source = one.getSourceFile();
    const file = path.relative(root, source.fileName);
    const name = nameOf(one);
    const at = source.getLineAndCharacterOfPosition((name || one).getStart(source)).line + 1;
    const inside = !file.startsWith("..") && !file.includes("node_modules")
      && (source === node.getSourceFile() || !isOfAnotherProgram(one, source));
    const text = (name && (name.name || name).text) || (name ? name.getText(source) : node.text);
    return [inside ? file : null, at, text, kindOf(one)];
  });
}

/* `exports.f = …` and `this.x = …` declare: such a name is no reference. */
function declares(node) {
  return allDeclarations(node).some((one) => {
    const name = nameOf(one);
    return name === node || (name && name.name === node);
  });
}

function useOf(node) {
  let at = node;
  if (ts.isPropertyAccessExpression(at.parent) && at.parent.name === at) at = at.parent;
  while (ts.isNonNullExpression(at.parent) || ts.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  const called = ts.isCallOrNewExpression(parent) ? parent.expression
    : ts.isTaggedTemplateExpression(parent) ? parent.tag
    : ts.isJsxOpeningLikeElement(parent) ? parent.tagName : null;
  return called === at ? "call" : "";
}

let seed = 7;
function random() {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed / 2 ** 32;
}

const all = [];
for (const file of files) {
  const source = program.getSourceFile(path.join(root, file));
  if (source) for (const node of identifiers(source)) all.push([file, source, node]);
}
for (let at = all.length - 1; at > 0; at--) {
  const other = Math.floor(random() * (at + 1));
  [all[at], all[other]] = [all[other], all[at]];
}
let counted = 0;
for (const [file, source, node] of all) {
  if (count !== 0 && counted >= count) break;
  if (declares(node)) continue;
  const found = definitions(node);
  if (found.some(([inside, , , kind]) => inside && kind !== "local" && kind !== "data")) counted++;
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  console.log(JSON.stringify([file, line + 1, character, node.text, found, useOf(node)]));
}
